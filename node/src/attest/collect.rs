//! Collecting the others' signatures, until two thirds of a committee vouch for a block.

use lightproof_prover::chain::committee::operators::Roster;
use lightproof_prover::error::StoreError;
use lightproof_prover::hex;
use serde_json::Value;

use super::{AttestError, Attester, MAX_HEIGHTS, Peer, hash_at, lock};
use lightproof_prover::chain::database::attestations::Attestation;
use lightproof_prover::chain::database::snapshot::Snapshot;

impl Attester {
    /// The heights whose signatures are wanted, ascending: the last block of each period that has
    /// no attestation yet, since clients go from period to period, and the newest ones.
    ///
    /// # Errors
    /// [`AttestError`] if the database fails.
    pub fn wanted(&self) -> Result<Vec<u64>, AttestError> {
        let (roster, snapshot) = (self.roster()?, self.node.snapshot()?);
        let (announced, head) = (snapshot.announced(), snapshot.head());
        let ends = (roster.period_of(announced)..).map(|period| roster.last_block(period));
        let ends = ends.skip_while(|end| *end <= announced).take_while(|end| *end <= head);
        let mut wanted: Vec<u64> = ends.take(MAX_HEIGHTS / 2).collect();
        let left = MAX_HEIGHTS - wanted.len();
        // Once the ends are done; before, a newer block would leave a period without any.
        let newest = (announced.saturating_add(1)..=head).rev().take(left);
        wanted.extend(newest);
        wanted.sort_unstable();
        wanted.dedup();
        Ok(wanted)
    }

    /// Asks another node once, takes what it signed, and announces what two thirds have signed by
    /// then. True if the node answered.
    ///
    /// # Errors
    /// [`AttestError`] if the database fails. A node that does not answer, or lies, is no error.
    pub fn collect(&self, peer: &Peer) -> Result<bool, AttestError> {
        let wanted = self.wanted()?;
        if wanted.is_empty() {
            return Ok(true);
        }
        match peer.attestations(&wanted) {
            Ok(answer) => {
                self.take(peer.name(), &wanted, &answer)?;
                Ok(true)
            }
            Err(_) => Ok(false),
        }
    }

    /// Takes another node's answer. It is believed once the signatures that it brings are checked.
    ///
    /// # Errors
    /// As [`Self::collect`].
    pub fn take(&self, from: &str, asked: &[u64], answer: &Value) -> Result<(), AttestError> {
        let (roster, snapshot) = (self.roster()?, self.node.snapshot()?);
        let answers = answer.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut whole_ones = Vec::new();
        for (number, entry) in asked.iter().zip(answers) {
            let hash = entry["hash"].as_str().and_then(|hash| hex::decode_fixed::<32>(hash).ok());
            let (Some(hash), Some(signatures)) = (hash, entry["signatures"].as_object()) else {
                continue;
            };
            let own = hash_at(&snapshot, *number)?;
            let members = roster.at(*number);
            let whole = entry["attestation"].as_array().filter(|_| hash == own);
            if let Some(found) = whole.and_then(|pair| attestation(pair)) {
                let message = self.message(&own);
                let enough = members.count(&found.bits) >= members.two_thirds();
                if enough && members.signed(&found.bits, &found.signature, &message) {
                    whole_ones.push((*number, found));
                    continue;
                }
            }
            let mut pool = lock(&self.pool);
            if hash != own {
                if pool.differ.insert((*number, from.to_owned())) {
                    let (theirs, ours) = (hex::encode(&hash), hex::encode(&own));
                    tracing::warn!("{from} signs {theirs} as block {number}, which here is {ours}");
                }
                continue;
            }
            for (key, signature) in signatures.iter().take(members.keys().len()) {
                let signature = signature.as_str();
                let key = hex::decode_fixed(key).ok().and_then(|key| members.position(&key));
                let signature = signature.and_then(|text| hex::decode_fixed(text).ok());
                if let (Some(index), Some(signature)) = (key, signature) {
                    pool.add(*number, index, signature, from);
                }
            }
        }
        self.take_whole(roster, whole_ones)?;
        self.announce()
    }

    /// Takes attestations that are checked, as long as no period before is left without one.
    fn take_whole(
        &self,
        roster: &Roster,
        whole_ones: Vec<(u64, Attestation)>,
    ) -> Result<(), AttestError> {
        for (number, attestation) in whole_ones {
            let announced = self.node.snapshot()?.announced();
            let next = match announced {
                0 => 0,
                announced => roster.period_of(announced.saturating_add(1)),
            };
            if roster.period_of(number) <= next {
                self.tell(number, &attestation)?;
            }
        }
        Ok(())
    }

    /// Announces what two thirds have signed: first the ends of periods, then the newest block.
    pub(super) fn announce(&self) -> Result<(), AttestError> {
        let roster = self.roster()?;
        let wanted = self.wanted()?;
        let snapshot = self.node.snapshot()?;
        let ends = |number: &u64| roster.last_block(roster.period_of(*number)) == *number;
        let (ends, others): (Vec<u64>, Vec<u64>) = wanted.into_iter().partition(ends);
        for number in ends {
            if !self.attest(&snapshot, roster, number)? {
                // A block after it would leave its period without an attestation; those before may
                // go.
                return self.attest_newest(&snapshot, roster, others, number);
            }
        }
        self.attest_newest(&snapshot, roster, others, u64::MAX)
    }

    fn attest_newest(
        &self,
        snapshot: &Snapshot,
        roster: &Roster,
        others: Vec<u64>,
        before: u64,
    ) -> Result<(), AttestError> {
        for number in others.into_iter().rev().filter(|number| *number < before) {
            if self.attest(snapshot, roster, number)? {
                break;
            }
        }
        Ok(())
    }

    /// Keeps and tells the attestation of a block, if two thirds of its committee signed it.
    fn attest(
        &self,
        snapshot: &Snapshot,
        roster: &Roster,
        number: u64,
    ) -> Result<bool, AttestError> {
        let own = self.own(snapshot, roster, number)?;
        let members = roster.at(number);
        let message = self.message(&hash_at(snapshot, number)?);
        let found = {
            let mut pool = lock(&self.pool);
            for (key, signature) in own.iter().flat_map(|(_, own)| own) {
                if let Some(index) = members.position(key) {
                    pool.own(number, index, *signature);
                }
            }
            pool.two_thirds(number, members, &message)
        };
        let Some((bits, signature)) = found else { return Ok(false) };
        self.tell(number, &Attestation { bits, signature })?;
        Ok(true)
    }

    fn tell(&self, number: u64, attestation: &Attestation) -> Result<(), AttestError> {
        // One after the other, so that each block is told once.
        let mut pool = lock(&self.pool);
        let before = self.node.snapshot()?.announced();
        if number <= before {
            return Ok(());
        }
        self.node.attest(number, attestation)?;
        let snapshot = self.node.snapshot()?;
        for number in before + 1..=number {
            let header = snapshot.header(number)?.ok_or(StoreError::Corrupt("no such header"))?;
            // Nobody listens any more if the node is stopping.
            let _ = self.told.send(header);
        }
        pool.forget(number);
        Ok(())
    }
}

/// `[bits, signature]`.
fn attestation(pair: &[Value]) -> Option<Attestation> {
    let [bits, signature] = pair else { return None };
    let bits = hex::decode(bits.as_str()?).ok()?;
    Some(Attestation { bits, signature: hex::decode_fixed(signature.as_str()?).ok()? })
}
