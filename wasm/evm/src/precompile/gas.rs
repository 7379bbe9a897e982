//! What precompiles cost.

use revm::precompile::bls12_381_const::{
    DISCOUNT_TABLE_G1_MSM, DISCOUNT_TABLE_G2_MSM, G1_ADD_BASE_GAS_FEE, G1_MSM_BASE_GAS_FEE,
    G2_ADD_BASE_GAS_FEE, G2_MSM_BASE_GAS_FEE, MAP_FP_TO_G1_BASE_GAS_FEE,
    MAP_FP2_TO_G2_BASE_GAS_FEE, PAIRING_MULTIPLIER_BASE, PAIRING_OFFSET_BASE,
};
use revm::precompile::bls12_381_utils::msm_required_gas;
use revm::precompile::modexp::{berlin_gas_calc, byzantium_gas_calc, osaka_gas_calc};
use revm::primitives::U256;
use revm::primitives::hardfork::SpecId;

use super::cheap;

/// Longest number that modexp takes since EIP-7823, in bytes.
const MODEXP_MOST: u64 = 1024;

/// Gas of precompile `number` for `input`; `None` if the input alone makes it fail.
pub(super) fn cost(number: u64, input: &[u8], spec: SpecId) -> Option<u64> {
    let length = input.len() as u64;
    let by_word =
        |base: u64, word: u64| Some(length.div_ceil(32).saturating_mul(word).saturating_add(base));
    let since = |fork| spec >= fork;
    let istanbul = |after, before| if since(SpecId::ISTANBUL) { after } else { before };
    match number {
        1 => Some(3_000),
        2 => by_word(60, 12),
        3 => by_word(600, 120),
        4 => by_word(15, 3),
        5 => modexp(input, spec),
        6 => Some(istanbul(150, 500)),
        7 => Some(istanbul(6_000, 40_000)),
        8 => {
            let (base, pair) = (istanbul(45_000, 100_000), istanbul(34_000, 80_000));
            Some(whole(length, 192)?.saturating_mul(pair).saturating_add(base))
        }
        // One per round, and the rounds stand first.
        9 => Some(u64::from(u32::from_be_bytes(*input.first_chunk()?))),
        0x0a => Some(50_000),
        0x0b => Some(G1_ADD_BASE_GAS_FEE),
        0x0c => msm(length, 160, &DISCOUNT_TABLE_G1_MSM, G1_MSM_BASE_GAS_FEE),
        0x0d => Some(G2_ADD_BASE_GAS_FEE),
        0x0e => msm(length, 288, &DISCOUNT_TABLE_G2_MSM, G2_MSM_BASE_GAS_FEE),
        0x0f => {
            let pairs = whole(length, 384).filter(|pairs| *pairs > 0)?;
            Some(pairs.saturating_mul(PAIRING_MULTIPLIER_BASE).saturating_add(PAIRING_OFFSET_BASE))
        }
        0x10 => Some(MAP_FP_TO_G1_BASE_GAS_FEE),
        0x11 => Some(MAP_FP2_TO_G2_BASE_GAS_FEE),
        0x100 => Some(6_900),
        _ => None,
    }
}

/// How many parts of `part` bytes there are, if all are whole.
const fn whole(length: u64, part: u64) -> Option<u64> {
    if length.is_multiple_of(part) { length.checked_div(part) } else { None }
}

fn msm(length: u64, part: u64, discounts: &[u16], price: u64) -> Option<u64> {
    let pairs = whole(length, part).filter(|pairs| *pairs > 0)?;
    Some(msm_required_gas(usize::try_from(pairs).ok()?, discounts, price))
}

fn modexp(input: &[u8], spec: SpecId) -> Option<u64> {
    let length = |index| cheap::word(input, index);
    let [base, exponent, modulus] = [length(0), length(32), length(64)];
    if spec >= SpecId::OSAKA
        && [base, exponent, modulus].iter().any(|length| *length > U256::from(MODEXP_MOST))
    {
        return None;
    }
    // A length beyond 2^64 costs more gas than there is.
    let base: u64 = base.saturating_to();
    let exponent: u64 = exponent.saturating_to();
    let modulus: u64 = modulus.saturating_to();
    let head = cheap::exponent_head(input, base, exponent);
    let by = match spec {
        spec if spec >= SpecId::OSAKA => osaka_gas_calc,
        spec if spec >= SpecId::BERLIN => berlin_gas_calc,
        _ => byzantium_gas_calc,
    };
    Some(by(base, exponent, modulus, &head))
}
