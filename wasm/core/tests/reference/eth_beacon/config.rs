//! Chain configurations: mainnet's, and those that a `config.yaml` of the spec's tests describes.

use std::collections::BTreeMap;

use lightproof_testkit::{Rlp, hex};

const SHAPES: [(&str, &str); 7] = [
    ("ALTAIR", "altair"),
    ("BELLATRIX", "altair"),
    ("CAPELLA", "capella"),
    ("DENEB", "deneb"),
    ("ELECTRA", "electra"),
    ("FULU", "electra"),
    ("GLOAS", "gloas"),
];

/// Mainnet's forks: epoch, version, shape.
const MAINNET: [(u64, [u8; 4], &str); 6] = [
    (74_240, [1, 0, 0, 0], "altair"),
    (144_896, [2, 0, 0, 0], "altair"),
    (194_048, [3, 0, 0, 0], "capella"),
    (269_568, [4, 0, 0, 0], "deneb"),
    (364_032, [5, 0, 0, 0], "electra"),
    (411_392, [6, 0, 0, 0], "electra"),
];

pub(super) const MAINNET_VALIDATORS: &str =
    "4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95";

const MAINNET_GENESIS: &str = "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3";

/// The preset `minimal`: 32 keys, 8 slots an epoch, 8 epochs a period.
const MINIMAL: [u64; 3] = [32, 8, 8];

/// The preset `mainnet`.
const PRESET: [u64; 3] = [512, 32, 256];

/// Mainnet's configuration, in RLP.
pub(super) fn mainnet() -> Vec<u8> {
    chain(PRESET, 12, 1_606_824_023, &hex::array(MAINNET_VALIDATORS), &MAINNET)
}

/// The fork's version at a slot of mainnet.
pub(super) fn mainnet_version(slot: u64) -> [u8; 4] {
    MAINNET.iter().rev().find(|(epoch, ..)| *epoch <= slot / 32).unwrap().1
}

/// The configuration that a `config.yaml` describes, and the seconds of its slots. Genesis is at 0.
pub(super) fn of_yaml(text: &str, validators: &[u8; 32]) -> (Vec<u8>, u64) {
    let values: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once(": ")).map(|(k, v)| (k, v.trim())).collect();
    let value = |key: &str| values.get(key).map(|value| value.trim_matches('\''));
    let forks: Vec<(u64, [u8; 4], &str)> = SHAPES
        .iter()
        .filter_map(|(name, shape)| {
            let epoch = value(&format!("{name}_FORK_EPOCH"))?.parse().unwrap();
            let version = value(&format!("{name}_FORK_VERSION"))?;
            (epoch != u64::MAX).then(|| (epoch, hex::array(version), *shape))
        })
        .collect();
    let preset = if value("PRESET_BASE") == Some("minimal") { MINIMAL } else { PRESET };
    let seconds = value("SECONDS_PER_SLOT").unwrap().parse().unwrap();
    (chain(preset, seconds, 0, validators, &forks), seconds)
}

fn chain(
    [size, slots, epochs]: [u64; 3],
    seconds: u64,
    genesis_time: u64,
    validators: &[u8; 32],
    forks: &[(u64, [u8; 4], &str)],
) -> Vec<u8> {
    let fork = |(epoch, version, shape): &(u64, [u8; 4], &str)| {
        Rlp::list([Rlp::uint(*epoch), Rlp::str(version), Rlp::str(shape)])
    };
    let mut consensus: Vec<Rlp> =
        [size, slots, epochs, seconds, genesis_time].map(Rlp::uint).to_vec();
    consensus.extend([Rlp::str(validators), Rlp::list(forks.iter().map(fork))]);
    let genesis = Rlp::str(hex::decode(MAINNET_GENESIS));
    Rlp::list([Rlp::str("ethereum"), Rlp::uint(1), genesis, Rlp::List(consensus)]).encode()
}
