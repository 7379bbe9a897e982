//! Light clients to send things to.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use lightproof_core::error::Rejection;
use lightproof_core::hash::sha256;
use lightproof_core::header::light::{Form, LightClient};
use lightproof_testkit::Rlp;
use lightproof_testkit::getproof::bytes;
use lightproof_testkit::record::{list, text};
use serde_json::Value;

/// Changes bytes as the input says, four bytes each: kind, place, value.
pub fn edit(bytes: &mut Vec<u8>, edits: &[u8]) {
    for [kind, high, low, value] in edits.as_chunks::<4>().0 {
        let at = usize::from(u16::from_be_bytes([*high, *low])) % bytes.len().max(1);
        match kind % 3 {
            0 if at < bytes.len() => bytes[at] ^= value.max(&1),
            1 => bytes.insert(at, *value),
            _ if bytes.len() > 1 => drop(bytes.remove(at)),
            _ => {}
        }
    }
}

/// What a client holds, to be compared.
pub fn state(client: &LightClient) -> Option<(u64, bool, [u8; 32], [u8; 32], u64)> {
    let state = client.state()?;
    let (finalized, head) = (&state.finalized, &state.head);
    Some((state.period, state.next_known, finalized.root.0, head.root.0, finalized.slot))
}

/// What is sent to a client.
#[derive(Clone, Debug)]
struct Sent {
    form: String,
    bytes: Vec<u8>,
}

impl Sent {
    fn of(step: &Value) -> Self {
        Self { form: text(&step["form"]).to_owned(), bytes: bytes(&step["bytes"]) }
    }

    /// Takes `bytes` in this form.
    fn take(
        &self,
        client: &mut LightClient,
        checkpoint: &[u8],
        bytes: &[u8],
    ) -> Result<(), Rejection> {
        let form = match self.form.as_str() {
            "bootstrap" => return client.bootstrap(checkpoint, bytes, &mut ()).map(|_| ()),
            "import" => return client.import(bytes, checkpoint, &mut ()).map(|_| ()),
            "force" => return client.force(u64::MAX).map(|_| ()),
            "update" => Form::Update,
            "finality" => Form::Finality,
            _ => Form::Optimistic,
        };
        client.apply(form, bytes, u64::MAX, &mut ()).map(|_| ())
    }
}

/// A step that a client of the shared vectors takes.
#[derive(Debug)]
pub struct Step {
    /// Root or hash that the caller pins.
    pub checkpoint: Vec<u8>,
    sent: Sent,
    /// A client of the chain, and what it was sent before this.
    fresh: LightClient,
    before: Vec<Sent>,
    /// Signatures take long, so a client is made when its step is first asked for.
    client: OnceLock<LightClient>,
}

impl Step {
    /// What an honest node, or the client itself, wrote.
    pub fn bytes(&self) -> &[u8] {
        &self.sent.bytes
    }

    /// The client before the step.
    pub fn client(&self) -> &LightClient {
        self.client.get_or_init(|| {
            let mut client = self.fresh.clone();
            for sent in &self.before {
                sent.take(&mut client, &self.checkpoint, &sent.bytes)
                    .expect("valid in the vectors");
            }
            client
        })
    }

    /// Takes other bytes in place of the honest ones.
    ///
    /// # Errors
    /// As the client refuses them.
    pub fn take(&self, client: &mut LightClient, bytes: &[u8]) -> Result<(), Rejection> {
        self.sent.take(client, &self.checkpoint, bytes)
    }
}

/// Steps of the shared clients, and every header that a committee ever signed or a client pinned.
#[derive(Debug)]
pub struct Steps {
    /// Each accepted as it is, by the client before it.
    pub steps: Vec<Step>,
    /// By hash, of the beacon chain by root.
    pub headers: BTreeSet<Vec<u8>>,
}

/// RLP of a chain that signs its headers; `None` if it does not.
fn chain(json: &Value) -> Option<Vec<u8>> {
    let consensus = json["consensus"].as_object()?;
    let number = |field: &Value| Rlp::uint(field.as_u64().expect("a number"));
    let terms: &[&str] = match text(&json["kind"]) {
        "devnet" => &["committeeSize", "periodLength"],
        "attested" => &["periodLength"],
        _ => {
            &["committeeSize", "slotsPerEpoch", "epochsPerPeriod", "secondsPerSlot", "genesisTime"]
        }
    };
    let mut rules: Vec<Rlp> = terms.iter().map(|name| number(&consensus[*name])).collect();
    if let Some(forks) = consensus.get("forks") {
        let fork = |fork: &Value| {
            let (version, shape) = (bytes(&fork["version"]), text(&fork["shape"]));
            Rlp::list([number(&fork["epoch"]), Rlp::Str(version), Rlp::str(shape)])
        };
        rules.push(Rlp::Str(bytes(&consensus["genesisValidatorsRoot"])));
        rules.push(Rlp::List(list(forks).iter().map(fork).collect()));
    }
    let (id, genesis) = (number(&json["chainId"]), Rlp::Str(bytes(&json["genesisHash"])));
    Some(Rlp::list([Rlp::str(text(&json["kind"])), id, genesis, Rlp::List(rules)]).encode())
}

/// What `test-vectors/headers.json` says is accepted.
pub static STEPS: LazyLock<Steps> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test-vectors/headers.json");
    let file: Value =
        serde_json::from_slice(&std::fs::read(path).expect("the shared vectors")).expect("JSON");
    let mut all = Steps { steps: Vec::new(), headers: BTreeSet::new() };
    for group in list(&file["groups"]) {
        let Some(fresh) = chain(&group["chain"]).and_then(|rlp| LightClient::new(&rlp).ok()) else {
            continue;
        };
        for case in list(&group["tests"]) {
            let mut before = Vec::new();
            for step in list(&case["steps"]) {
                let state = &step["expected"]["state"];
                if state.is_null() {
                    break;
                }
                let held = ["finalized", "safe", "head"].into_iter().map(|name| &state[name]);
                all.headers.extend(
                    held.filter(|block| !block.is_null()).map(|block| bytes(&block["hash"])),
                );
                let sent = Sent::of(step);
                all.steps.push(Step {
                    checkpoint: bytes(&case["checkpoint"]),
                    sent: sent.clone(),
                    fresh: fresh.clone(),
                    before: before.clone(),
                    client: OnceLock::new(),
                });
                before.push(sent);
            }
        }
    }
    all
});

const SIZE: usize = 8;
const SLOTS_PER_EPOCH: u64 = 8;

/// Shapes by first epoch, with the lengths of their branches: committee, finality, and their headers' own fields.
const SHAPES: [(&str, usize, usize); 5] =
    [("altair", 5, 6), ("capella", 5, 6), ("deneb", 5, 6), ("electra", 6, 7), ("gloas", 11, 9)];

/// A beacon chain of small committees on which each epoch is a fork.
pub fn beacon_chain() -> Vec<u8> {
    let fork = |(epoch, (shape, ..)): (u8, &(&str, usize, usize))| {
        Rlp::list([Rlp::uint(epoch.into()), Rlp::Str(vec![epoch, 0, 0, 0]), Rlp::str(*shape)])
    };
    let forks = Rlp::List((0..).zip(&SHAPES).map(fork).collect());
    let numbers = [SIZE as u64, SLOTS_PER_EPOCH, 8, 12, 0].map(Rlp::uint);
    let rules = numbers.into_iter().chain([Rlp::Str(vec![7; 32]), forks]).collect();
    let chain = [Rlp::str("ethereum"), Rlp::uint(1), Rlp::Str(vec![9; 32]), Rlp::List(rules)];
    Rlp::list(chain).encode()
}

fn pair(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    sha256(&[left, right]).0
}

fn merkle(mut nodes: Vec<[u8; 32]>) -> [u8; 32] {
    while nodes.len() > 1 {
        nodes = nodes.as_chunks::<2>().0.iter().map(|[left, right]| pair(left, right)).collect();
    }
    nodes[0]
}

fn leaf(bytes: &[u8]) -> [u8; 32] {
    let mut leaf = [0; 32];
    leaf[..bytes.len()].copy_from_slice(bytes);
    leaf
}

/// The generator of G1, compressed: a key that every committee here is made of.
const KEY: [u8; 48] = [
    0x97, 0xf1, 0xd3, 0xa7, 0x31, 0x97, 0xd7, 0x94, 0x26, 0x95, 0x63, 0x8c, 0x4f, 0xa9, 0xac, 0x0f,
    0xc3, 0x68, 0x8c, 0x4f, 0x97, 0x74, 0xb9, 0x05, 0xa1, 0x4e, 0x3a, 0x3f, 0x17, 0x1b, 0xac, 0x58,
    0x6c, 0x55, 0xe8, 0x3f, 0xf9, 0x7a, 0x1a, 0xef, 0xfb, 0x3a, 0xf0, 0x0a, 0xdb, 0x22, 0xc6, 0xbb,
];

/// Root of the bootstrap's header, and its SSZ: Altair, slot 0, so without an execution payload.
pub fn beacon_bootstrap() -> ([u8; 32], Vec<u8>) {
    let key = pair(&leaf(&KEY[..32]), &leaf(&KEY[32..]));
    let committee = pair(&merkle(vec![key; SIZE]), &key);
    let branch = [[3; 32]; 5];
    // Generalized index 54, so place 22 at depth 5.
    let state = branch.iter().enumerate().fold(committee, |node, (level, sibling)| {
        if 22 >> level & 1 == 1 { pair(sibling, &node) } else { pair(&node, sibling) }
    });
    let header = [&[0; 16], [1; 32].as_slice(), &state, &[2; 32]].concat();
    let fields = vec![[0; 32], [0; 32], [1; 32], state, [2; 32], [0; 32], [0; 32], [0; 32]];
    (merkle(fields), [header, KEY.repeat(SIZE + 1), branch.concat()].concat())
}

/// A well-formed container of a shape, of zeros but for slots and bits.
pub fn beacon_update(shape: usize, form: Form) -> Vec<u8> {
    let (name, committee, finality) = SHAPES[shape % SHAPES.len()];
    let is_variable = !["altair", "gloas"].contains(&name);
    let slot = u64::try_from(shape % SHAPES.len()).unwrap_or(0) * SLOTS_PER_EPOCH + 3;
    let header = |slot: u64| {
        let beacon = [slot.to_le_bytes().as_slice(), &[0; 104]].concat();
        let payload = |blobs: usize| {
            // Fixed fields up to the offset of extra_data, the offset, the rest.
            let fixed = 32 + 20 + 32 * 2 + 256 + 32 + 8 * 4;
            let size = u32::try_from(fixed + 4 + 32 * 4 + blobs).unwrap_or(0);
            [&vec![0; fixed], size.to_le_bytes().as_slice(), &vec![0; 32 * 4 + blobs]].concat()
        };
        let with = |payload: Vec<u8>| {
            let offset = 112_u32 + 4 + 4 * 32;
            [beacon.clone(), offset.to_le_bytes().to_vec(), vec![0; 4 * 32], payload].concat()
        };
        match name {
            "altair" => beacon.clone(),
            "gloas" => [beacon.clone(), vec![0; 32 + 11 * 32]].concat(),
            "capella" => with(payload(0)),
            _ => with(payload(16)),
        }
    };
    let mut fields = vec![(is_variable, header(slot))];
    if form == Form::Update {
        fields.push((false, KEY.repeat(SIZE + 1)));
        fields.push((false, vec![0; 32 * committee]));
    }
    if form != Form::Optimistic {
        fields.push((is_variable, header(0)));
        fields.push((false, vec![0; 32 * finality]));
    }
    fields.push((false, vec![0xff; SIZE / 8]));
    fields.push((false, [&[0xc0], [0; 95].as_slice()].concat()));
    fields.push((false, (slot + 1).to_le_bytes().to_vec()));
    let size: usize = fields.iter().map(|(end, bytes)| if *end { 4 } else { bytes.len() }).sum();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for (end, bytes) in fields {
        if end {
            head.extend(u32::try_from(size + tail.len()).unwrap_or(0).to_le_bytes());
            tail.extend(bytes);
        } else {
            head.extend(bytes);
        }
    }
    [head, tail].concat()
}
