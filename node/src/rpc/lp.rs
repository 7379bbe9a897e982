//! The light client's methods (`spec/architecture.md`, section 8).

use serde_json::{Map, Value, json};

use super::error::RpcError;
use super::params::Params;
use super::{Context, MAX_BATCH, MAX_BODY, MAX_HEADERS, MAX_KEYS};
use crate::answers::Question;
use lightproof_prover::chain::committee::forms::{Bootstrap, Listed, Update};
use lightproof_prover::chain::committee::operators::Roster;
use lightproof_prover::chain::committee::{Committees, Terms};
use lightproof_prover::chain::database::Served;
use lightproof_prover::chain::database::attestations::Attestation;
use lightproof_prover::chain::header::Header;
use lightproof_prover::hex;
use lightproof_prover::system::{Proof, Refusal};

/// Updates in one answer to `lp_getUpdates`.
const MAX_UPDATES: u64 = 128;

impl Context<'_> {
    pub(super) fn status(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(0)?;
        let head = self.snapshot.head();
        let announced = self.snapshot.announced();
        let hash = self.snapshot.header(announced)?.map(|header| hex::encode(&header.hash()));
        let systems: Map<String, Value> = self
            .node
            .systems()
            .iter()
            .map(|Served { spec, .. }| {
                let from = self.snapshot.oldest_of(spec);
                let value = json!({
                    "format": spec.format,
                    "variants": spec.variants,
                    "params": spec.params.map(|digest| hex::encode(&digest)),
                    "window": [hex::quantity(from), hex::quantity(head)],
                    "shard": spec.shard.map(RpcError::shard_data),
                });
                (spec.name.to_owned(), value)
            })
            .collect();
        let newest = json!({ "number": hex::quantity(announced), "hash": hash });
        let terms = self.node.committees().map(Committees::terms);
        let roster = self.node.roster();
        let is_signed = terms.is_some() || roster.is_some();
        Ok(json!({
            "chainId": hex::quantity(self.node.chain_id()),
            "genesisHash": hex::encode(&self.node.genesis_hash()),
            "head": newest,
            // A signed block is final at once; of an unsigned one there is no evidence to point at.
            "finalized": is_signed.then(|| newest.clone()),
            // For display: a client takes these from whoever it trusts, never from a node.
            "consensus": consensus(terms, roster, announced),
            "limits": { "body": MAX_BODY, "batch": MAX_BATCH, "headers": MAX_HEADERS, "keys": MAX_KEYS },
            "systems": systems,
            // Whether caches are before this node.
            "get": self.offers_get,
        }))
    }

    pub(super) fn header(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(1)?;
        let Some(number) = self.snapshot.number_of(&params.word(0, "hash")?)? else {
            return Ok(Value::Null);
        };
        Ok(self
            .snapshot
            .header(number)?
            .map_or(Value::Null, |header| json!(hex::encode(&header.encode()))))
    }

    /// Ascending from `from`; shorter than asked if the chain ends before.
    pub(super) fn headers(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let (from, count) = (params.number(0, "from")?, params.number(1, "count")?);
        if count > MAX_HEADERS {
            return Err(RpcError::limit(
                "headers",
                usize::try_from(MAX_HEADERS).unwrap_or(usize::MAX),
            ));
        }
        let mut headers = Vec::new();
        for number in from..from.saturating_add(count).min(self.snapshot.announced() + 1) {
            let header = self.snapshot.header(number)?.ok_or_else(RpcError::unknown_block)?;
            headers.push(json!(hex::encode(&header.encode())));
        }
        Ok(headers.into())
    }

    /// Public parameters by their digest.
    pub(super) fn system_params(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(1)?;
        let digest = params.word(0, "digest")?;
        let mut systems = self.node.systems().iter();
        let system = systems.find(|served| served.spec.params == Some(digest));
        system
            .and_then(|served| served.system.params())
            .map(|bytes| json!(hex::encode(&bytes)))
            .ok_or_else(|| RpcError::invalid_params("digest", "no parameters with this digest"))
    }

    /// Null on a chain without signatures.
    pub(super) fn bootstrap(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(1)?;
        let number = self.snapshot.number_of(&params.word(0, "hash")?)?;
        let header = self.known(number.ok_or_else(RpcError::unknown_block)?)?;
        let bootstrap = match (self.node.roster(), self.node.committees()) {
            (Some(roster), _) => {
                let period = roster.period_of(header.number);
                let committee = roster.listed(period, period.saturating_add(1));
                Some(Bootstrap { header: header.encode(), committee })
            }
            (None, committees) => committees.map(|all| Bootstrap::new(all, &header)),
        };
        Ok(bootstrap.map_or(Value::Null, |bootstrap| json!(hex::encode(&bootstrap.encode()))))
    }

    /// One update a period, ascending: its last block so far. Shorter than asked if the chain ends
    /// before; empty on a chain without signatures.
    pub(super) fn updates(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(2)?;
        let (from, count) = (params.number(0, "period")?, params.number(1, "count")?);
        if count > MAX_UPDATES {
            return Err(RpcError::limit(
                "updates",
                usize::try_from(MAX_UPDATES).unwrap_or(usize::MAX),
            ));
        }
        if let Some(roster) = self.node.roster() {
            return self.attested_updates(roster, from, count);
        }
        let mut updates = Vec::new();
        let Some(committees) = self.node.committees() else { return Ok(updates.into()) };
        let (terms, head) = (committees.terms(), self.snapshot.head());
        let periods = from..from.saturating_add(count).min(terms.period_of(head) + 1);
        for period in periods {
            let last = terms.first_block(period + 1).saturating_sub(1).min(head);
            let update = Update::new(committees, &self.node.genesis_hash(), &self.known(last)?);
            updates.push(json!(hex::encode(&update.encode())));
        }
        Ok(updates.into())
    }

    /// The head with its signature; null on a chain without signatures.
    pub(super) fn finality(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(0)?;
        if self.node.roster().is_some() {
            let newest = self.snapshot.attestation(0, self.snapshot.announced())?;
            let Some((number, attestation)) = newest else { return Ok(Value::Null) };
            let update = attested(&self.known(number)?, attestation, None);
            return Ok(json!(hex::encode(&update.encode())));
        }
        let Some(committees) = self.node.committees() else { return Ok(Value::Null) };
        let head = self.known(self.snapshot.head())?;
        let finality = Update::finality(committees, &self.node.genesis_hash(), &head);
        Ok(json!(hex::encode(&finality.encode())))
    }

    /// One update a period: the newest block of it that operators attested. Ends before the first
    /// period without one.
    fn attested_updates(&self, roster: &Roster, from: u64, count: u64) -> Result<Value, RpcError> {
        let last = roster.period_of(self.snapshot.announced());
        let mut updates = Vec::new();
        for period in from..from.saturating_add(count).min(last.saturating_add(1)) {
            let (first, last) = (period.saturating_mul(roster.period()), roster.last_block(period));
            let Some((number, found)) = self.snapshot.attestation(first, last)? else { break };
            let next = roster.listed(period.saturating_add(1), period);
            let update = attested(&self.known(number)?, found, Some(next));
            updates.push(json!(hex::encode(&update.encode())));
        }
        Ok(updates.into())
    }

    /// The system with this name, if headers commit to it.
    pub(super) fn committed(&self, name: &str) -> Result<&Served, RpcError> {
        let systems = self.node.systems();
        systems.iter().find(|served| served.spec.name == name).ok_or_else(|| {
            let names: Vec<_> = systems.iter().map(|served| served.spec.name).collect();
            RpcError::unknown_system(&names)
        })
    }

    fn known(&self, number: u64) -> Result<Header, RpcError> {
        self.snapshot.header(number)?.ok_or_else(RpcError::unknown_block)
    }

    /// `[system, query, {blockHash, variants}]`.
    pub(super) fn system_proof(&self, params: &Params<'_>) -> Result<Value, RpcError> {
        params.at_most(3)?;
        let name = params.text(0, "system")?;
        let Served { spec, system } = self.committed(name)?;
        if spec.method != "lp_getProof" {
            let reason = format!("{name} proofs travel by {}, on this chain too", spec.method);
            return Err(RpcError::invalid_params("system", reason));
        }
        let query = params.bytes(1, "query")?;
        let options = params.raw(2);
        let hash = params.word_in(2, "blockHash")?;
        let accepted = accepted(spec.variants, &options["variants"])?;
        let number = self.snapshot.number_of(&hash)?.ok_or_else(RpcError::unknown_block)?;
        let head = self.snapshot.head();
        let from = self.snapshot.oldest_of(spec);
        if !(from..=head).contains(&number) {
            return Err(RpcError::window(from, head));
        }
        let question = Question { block: &hash, query: &query, accepted: &accepted };
        let prove = || system.prove(self.snapshot.reader(), number, &query, &accepted);
        match self.answers.answer(name, question, prove) {
            Ok(Proof { variant, bytes }) => Ok(json!({
                "blockHash": hex::encode(&hash),
                "variant": variant,
                "proof": hex::encode(&bytes),
            })),
            Err(Refusal::Query(reason)) => Err(RpcError::invalid_params("query", reason)),
            Err(Refusal::Window) => Err(RpcError::window(from, head)),
            Err(Refusal::Elsewhere(shard)) => Err(RpcError::shard(shard)),
            // The writer of a store removes what no block of its own window needs.
            Err(Refusal::Store(_)) if self.node.is_pruned(spec, number) => {
                Err(RpcError::window(from, head))
            }
            Err(Refusal::Store(error)) => Err(error.into()),
        }
    }
}

fn attested(header: &Header, attestation: Attestation, next: Option<Listed>) -> Update {
    let Attestation { bits, signature } = attestation;
    Update { header: header.encode(), bits, signature: signature.to_vec(), next }
}

/// Who signs, for display.
fn consensus(terms: Option<Terms>, roster: Option<&Roster>, block: u64) -> Value {
    match (roster, terms) {
        (Some(roster), _) => {
            let keys: Vec<_> = roster.at(block).keys().iter().map(|key| hex::encode(key)).collect();
            json!({ "periodLength": roster.period(), "attesters": keys })
        }
        (None, Some(Terms { size, period })) => json!({
            "committeeSize": size,
            "periodLength": period,
            "keys": "INSECURE: made from the chain's seed",
        }),
        (None, None) => Value::Null,
    }
}

/// The shapes that both sides know; all, if the caller names none.
fn accepted(variants: &[&'static str], wanted: &Value) -> Result<Vec<&'static str>, RpcError> {
    let invalid = || RpcError::invalid_params("variants", "an array of strings is required");
    let fit: Vec<_> = match wanted {
        Value::Null => variants.to_vec(),
        Value::Array(names) => {
            let names = names.iter().map(|name| name.as_str().ok_or_else(invalid));
            let names = names.collect::<Result<Vec<_>, _>>()?;
            variants.iter().copied().filter(|one| names.contains(one)).collect()
        }
        _ => return Err(invalid()),
    };
    if fit.is_empty() { Err(RpcError::variant(variants)) } else { Ok(fit) }
}
