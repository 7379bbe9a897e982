//! A chain that operators attest: committees of 3, 7, 1 and 9 keys, which hand over to one another.

use super::case::{Block, Case, Consensus, Group, NO_CLOCK, Setting, State};
use super::committees::whole;
use super::follow::Scene as Followed;
use lightproof_core::header::possession;
use lightproof_prover::chain::committee::forms::{Bootstrap, Listed, Update};
use lightproof_prover::chain::committee::{
    Committee, KEY_BYTES, SIGNATURE_BYTES, Terms, message, signed_by_small,
};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::{Word, keccak256, sha256};

const FLAG: &str = "Attested";
const CHAIN_ID: u64 = 20_561;
const SEED: u64 = 23;
/// Blocks of a period.
const PERIOD: u64 = 4;
/// Keys of the committee of each period.
const SIZES: [u64; 5] = [3, 7, 1, 9, 9];
/// What a rogue key's owner knows.
const OWN: i64 = 4711;

/// The chain.
struct Scene {
    committees: Vec<Committee>,
    headers: Vec<Header>,
}

/// Every case of attested chains. The same every time.
pub(super) fn groups() -> Vec<Group> {
    let scene = Scene::new();
    let mut cases = scene.valid();
    cases.extend(scene.few());
    cases.extend(scene.bits());
    cases.extend(scene.shapes());
    cases.extend(scene.keys());
    cases.extend(scene.periods());
    let mut groups = vec![Group { setting: scene.setting(), cases }];
    groups.extend(scene.settings());
    groups
}

impl Followed for Scene {
    fn pinned(&self, number: u64) -> Word {
        self.header(number).hash()
    }

    /// A finality is not asked for: who signs it is what these cases are about.
    fn honest(&self, form: &str, number: u64) -> Vec<u8> {
        match form {
            "bootstrap" => self.bootstrap(number).encode(),
            _ => self.update(number).encode(),
        }
    }

    fn started(&self, number: u64) -> State {
        self.state(number, false)
    }
}

impl Scene {
    fn new() -> Self {
        let committees: Vec<Committee> = (0..)
            .zip(SIZES)
            .map(|(period, size)| Committee::insecure(SEED, period, size))
            .collect();
        let mut headers: Vec<Header> = Vec::new();
        for number in 0..PERIOD * (SIZES.len() as u64 - 1) {
            let parent = headers.last().map_or([0; 32], Header::hash);
            let at = period_of(number);
            let [own, next] = [at, at + 1].map(|period| committees[period].root());
            let root = keccak256(&number.to_be_bytes()).to_vec();
            headers.push(Header {
                chain_id: CHAIN_ID,
                committee_root: sha256(&[&own, &next]),
                ..Header::new(parent, number, vec![("mpt".to_owned(), root)])
            });
        }
        Self { committees, headers }
    }

    fn setting(&self) -> Setting {
        let consensus = Consensus::Attested { period: PERIOD };
        Setting { chain_id: CHAIN_ID, genesis_hash: self.headers[0].hash(), consensus }
    }

    fn header(&self, number: u64) -> &Header {
        &self.headers[usize::try_from(number).unwrap_or(0)]
    }

    fn of(&self, period: usize, sibling: usize) -> Listed {
        let sibling = self.committees[sibling].root().to_vec();
        Listed { sibling, ..whole(&self.committees[period]) }
    }

    fn bootstrap(&self, number: u64) -> Bootstrap {
        let period = period_of(number);
        Bootstrap { header: self.header(number).encode(), committee: self.of(period, period + 1) }
    }

    /// A finality of any header, truly signed by those of `bits` in the committee of `period`.
    fn signed(&self, header: &Header, period: usize, bits: &[u8]) -> Update {
        let message = message(&self.headers[0].hash(), CHAIN_ID, &header.hash());
        let signature = self.committees[period].sign(bits, &message).to_vec();
        Update { header: header.encode(), bits: bits.to_vec(), signature, next: None }
    }

    /// The finality of a block, signed by those of `bits`.
    fn finality(&self, number: u64, bits: &[u8]) -> Update {
        self.signed(self.header(number), period_of(number), bits)
    }

    /// The update of a block, signed by its whole committee.
    fn update(&self, number: u64) -> Update {
        let period = period_of(number);
        let all = bits(SIZES[period]);
        Update { next: Some(self.of(period + 1, period)), ..self.finality(number, &all) }
    }

    fn state(&self, number: u64, next_known: bool) -> State {
        let period = period_of(number) as u64;
        let finalized = Block { number, hash: self.header(number).hash(), execution: None };
        State { period, next_known, finalized, head: None, safe: None, forced: false }
    }

    /// A client that will pin block 0, whose hash the configuration names.
    fn before(&self, comment: &'static str) -> Case {
        Followed::before(self, FLAG, comment, 0)
    }

    /// A client that started at block 0.
    fn at(&self, comment: &'static str) -> Case {
        Followed::at(self, FLAG, comment, 0)
    }

    /// A client that went on to the last block of a period.
    fn in_period(&self, comment: &'static str, period: u64) -> Case {
        (0..period).fold(self.at(comment), |case, passed| {
            let number = passed * PERIOD + PERIOD - 1;
            self.taken(case, "update", number, self.state(number, true))
        })
    }

    fn signed_by(&self, case: Case, number: u64, bits: &[u8]) -> Case {
        let next_known = case.steps.last().is_some_and(|step| step.form == "update")
            && period_of(number) == period_of(number - 1);
        let state = self.state(number, next_known);
        case.with("finality", self.finality(number, bits).encode(), Some(NO_CLOCK), Ok(state))
    }

    fn valid(&self) -> Vec<Case> {
        vec![
            self.in_period("from 3 keys over 7 and 1 to 9", 4),
            self.signed_by(self.at("2 of 3 signed"), 1, &[0b101]),
            self.signed_by(self.in_period("5 of 7 signed", 1), 4, &[0b101_1101]),
            self.signed_by(self.in_period("the only one signed", 2), 8, &[1]),
            self.signed_by(
                self.in_period("6 of 9 signed, the ninth among them", 3),
                12,
                &[0xf1, 1],
            ),
        ]
    }

    fn few(&self) -> Vec<Case> {
        let code = "verify.participation";
        let few = |case: Case, number, bits: &[u8]| {
            case.refuse("finality", self.finality(number, bits).encode(), code)
        };
        let next = Some(self.of(1, 0));
        let update = Update { next, ..self.finality(1, &[0b010]) };
        vec![
            few(self.at("1 of 3 signed"), 1, &[0b100]),
            few(self.in_period("4 of 7 signed", 1), 4, &[0b101_1100]),
            few(self.in_period("5 of 9 signed", 3), 12, &[0x3e, 0]),
            few(self.in_period("of one key nobody signed", 2), 8, &[0]),
            self.at("1 of 3 names the next committee").refuse("update", update.encode(), code),
        ]
    }

    /// Bits of nobody's.
    fn bits(&self) -> Vec<Case> {
        let lie = |case: Case, number, signers: &[u8], claimed: &[u8]| {
            let finality =
                Update { bits: claimed.to_vec(), ..self.finality(number, signers) }.encode();
            case.refuse("finality", finality, "decode.shape")
        };
        vec![
            lie(self.at("1 of 3 signed, with five bits of nobody's"), 1, &[1], &[0b1111_1001]),
            lie(self.at("all of 3 signed, with a fourth bit"), 1, &[7], &[0b1111]),
            lie(self.at("all of 3 signed, in two bytes of bits"), 1, &[7], &[7, 0]),
            lie(self.at("all of 3 signed, without bits"), 1, &[7], &[]),
            lie(self.in_period("all of 7 signed, with an eighth bit", 1), 4, &[0x7f], &[0xff]),
            lie(self.in_period("all of 9 signed, in one byte of bits", 3), 12, &[0xff, 1], &[0xff]),
            lie(self.in_period("the only one signed, with a bit after", 2), 8, &[1], &[3]),
        ]
    }

    /// A client that pins a block whose header names these keys is sent them; and one at block 0,
    /// whose committee signs that they are the next.
    fn both(&self, comments: [&'static str; 2], listed: &Listed, code: &'static str) -> [Case; 2] {
        let aggregate = listed.aggregate.first_chunk().copied().unwrap_or([0; KEY_BYTES]);
        let keys: &[[u8; KEY_BYTES]] = listed.keys.as_chunks().0;
        let root = lightproof_prover::chain::committee::root(keys, &aggregate);
        let own = self.committees[0].root();
        let naming = |roots: [&Word; 2]| Header {
            committee_root: sha256(&[roots[0], roots[1]]),
            ..self.header(1).clone()
        };
        let header = naming([&root, &own]);
        let committee = Listed { sibling: own.to_vec(), ..listed.clone() };
        let pinned = Case { checkpoint: header.hash().to_vec(), ..self.before(comments[0]) };
        let bootstrap = Bootstrap { header: header.encode(), committee: committee.clone() };
        let signed = self.signed(&naming([&own, &root]), 0, &[7]);
        let update = Update { next: Some(committee), ..signed };
        [
            pinned.refuse("bootstrap", bootstrap.encode(), code),
            self.at(comments[1]).refuse("update", update.encode(), code),
        ]
    }

    fn shapes(&self) -> Vec<Case> {
        let honest = || whole(&self.committees[0]);
        let none = Listed { keys: vec![], proofs: vec![], ..honest() };
        let fourth =
            Listed { proofs: [honest().proofs, vec![0; SIGNATURE_BYTES]].concat(), ..honest() };
        let third = Listed { proofs: honest().proofs[SIGNATURE_BYTES..].to_vec(), ..honest() };
        let mut cut = honest();
        cut.keys.pop();
        let listed = [
            (["a bootstrap without keys", "an update without keys"], none),
            (["a bootstrap of keys that are cut", "an update of keys that are cut"], cut),
            (["a bootstrap with one proof more", "an update with one proof more"], fourth),
            (["a bootstrap with one proof less", "an update with one proof less"], third),
        ];
        let refused = |(comments, listed)| self.both(comments, &listed, "decode.shape");
        let mut cases: Vec<Case> = listed.into_iter().flat_map(refused).collect();
        let many = Listed {
            keys: vec![0; 513 * KEY_BYTES],
            proofs: vec![0; 513 * SIGNATURE_BYTES],
            ..honest()
        };
        // One of the two: it is long.
        let [bootstrap, _] = self.both(["a bootstrap of 513 keys", ""], &many, "decode.shape");
        cases.push(bootstrap);
        cases
    }

    fn keys(&self) -> Vec<Case> {
        let code = "verify.committee";
        let twice = whole(&Committee::of_small(&[1, 2, 1]));
        let rogue = self.committees[1].with_rogue_key(OWN);
        let mut proven = whole(&rogue);
        let last = rogue.keys()[6 * KEY_BYTES..].to_vec();
        let own = signed_by_small(OWN, &last, possession::CIPHERSUITE);
        proven.proofs[6 * SIGNATURE_BYTES..].copy_from_slice(&own);
        let mut cases = Vec::new();
        cases.extend(self.both(
            ["a bootstrap that lists a key twice", "an update that lists a key twice"],
            &twice,
            code,
        ));
        cases.extend(self.both(
            ["a rogue key in a bootstrap", "a rogue key in an update"],
            &proven,
            code,
        ));
        let change = |comment, change: &dyn Fn(&mut Listed)| {
            let mut update = self.update(1);
            update.next.iter_mut().for_each(change);
            self.at(comment).refuse("update", update.encode(), code)
        };
        let eighth = |listed: &mut Listed| {
            listed.keys.extend([0; KEY_BYTES]);
            listed.proofs.extend([0; SIGNATURE_BYTES]);
        };
        let six = |listed: &mut Listed| {
            listed.keys.truncate(6 * KEY_BYTES);
            listed.proofs.truncate(6 * SIGNATURE_BYTES);
        };
        cases.extend([
            // Where the tree of seven is filled up with zeros.
            change("an eighth key of zeros in place of the tree's filling", &eighth),
            change("six of the seven keys that the header names", &six),
            change("the committee after the next one", &|listed| *listed = self.of(2, 0)),
        ]);
        cases
    }

    fn periods(&self) -> Vec<Case> {
        let old = self.signed(self.header(4), 0, &[7]);
        let few = Update { bits: vec![0x7f], ..old.clone() };
        vec![
            self.at("a block of the next period, whose committee is not known").refuse(
                "finality",
                self.finality(4, &[0x7f]).encode(),
                "verify.period",
            ),
            // Nobody knows yet how many bits there are.
            self.at("a period that is not known, in bits of no committee").refuse(
                "finality",
                Update { bits: vec![0xff; 9], ..self.finality(4, &[0x7f]) }.encode(),
                "verify.period",
            ),
            self.in_period("3 of the committee before, in bits of 7", 1).refuse(
                "finality",
                old.encode(),
                "verify.participation",
            ),
            self.in_period("all 3 of the committee before, said to be all 7", 1).refuse(
                "finality",
                few.encode(),
                "verify.signature",
            ),
        ]
    }

    /// Clients that know another chain.
    fn settings(&self) -> Vec<Group> {
        let honest = self.setting();
        let group = |consensus, comment, code| {
            let case = self.before(comment).refuse("bootstrap", self.bootstrap(0).encode(), code);
            let case = Case { flag: "OtherSetting", ..case };
            Group { setting: Setting { consensus, ..honest }, cases: vec![case] }
        };
        let devnet = Consensus::Devnet(Terms { size: 8, period: PERIOD });
        let mut longer = self.at("a client of an attested chain with longer periods");
        longer.flag = "OtherSetting";
        let finality = self.finality(4, &[0x7f]).encode();
        let longer = longer.refuse("finality", finality, "decode.shape");
        let setting = Setting { consensus: Consensus::Attested { period: 8 }, ..honest };
        vec![
            group(
                Consensus::Attested { period: 0 },
                "an attested chain with periods of no blocks",
                "input.chain",
            ),
            group(devnet, "a client that takes an attested chain for a devnet", "decode.shape"),
            Group { setting, cases: vec![longer] },
        ]
    }
}

fn period_of(number: u64) -> usize {
    usize::try_from(number / PERIOD).unwrap_or(0)
}

/// The bits of all members.
fn bits(size: u64) -> Vec<u8> {
    let mut bits = vec![0xff; usize::try_from(size / 8).unwrap_or(0)];
    bits.extend((!size.is_multiple_of(8)).then_some((1 << (size % 8)) - 1));
    bits
}
