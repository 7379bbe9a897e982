//! What precompiles cost.

use revm::precompile::bls12_381_const::{
    DISCOUNT_TABLE_G1_MSM, DISCOUNT_TABLE_G2_MSM, G1_ADD_BASE_GAS_FEE, G1_MSM_BASE_GAS_FEE,
    G2_ADD_BASE_GAS_FEE, G2_MSM_BASE_GAS_FEE, MAP_FP_TO_G1_BASE_GAS_FEE,
    MAP_FP2_TO_G2_BASE_GAS_FEE, PAIRING_MULTIPLIER_BASE, PAIRING_OFFSET_BASE,
};
use revm::precompile::bls12_381_utils::msm_required_gas;
use revm::primitives::U256;
use revm::primitives::hardfork::SpecId;

use super::{cheap, input};

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
    let length = |index| input::word(input, index);
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
    Some(modexp_by_length(base.max(modulus), exponent, head, spec))
}

/// Gas of modexp for numbers of `length` bytes (EIP-198, EIP-2565, EIP-7883). What overflows costs
/// more than there is, so sums saturate. The engine's own takes whole 256-bit division along.
fn modexp_by_length(length: u64, exponent: u64, head: U256, spec: SpecId) -> u64 {
    let osaka = spec >= SpecId::OSAKA;
    let (least, by, divisor) = match spec {
        _ if osaka => (500, 16, 1),
        spec if spec >= SpecId::BERLIN => (200, 8, 3),
        _ => (0, 8, 20),
    };
    // Bits of the exponent after its first one; those beyond the first 32 bytes count as if set.
    let tail = u128::from(exponent.saturating_sub(32)).saturating_mul(by);
    let bits = (head.bit_len() as u128).saturating_sub(1);
    let rounds = tail.saturating_add(bits).max(1);
    let long = u128::from(length);
    let square = |number: u128| number.saturating_mul(number);
    let words = square(long.div_ceil(8));
    let times = |factor: u128| long.saturating_mul(factor);
    let work = match (spec, length) {
        (_, ..=32) if osaka => 16,
        _ if osaka => words.saturating_mul(2),
        (spec, _) if spec >= SpecId::BERLIN => words,
        (_, ..=64) => square(long),
        (_, ..=1024) => (square(long) >> 2).saturating_add(times(96)).saturating_sub(3_072),
        _ => (square(long) >> 4).saturating_add(times(480)).saturating_sub(199_680),
    };
    let gas = work.saturating_mul(rounds).checked_div(divisor).unwrap_or(u128::MAX);
    u64::try_from(gas).unwrap_or(u64::MAX).max(least)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects)]

    use revm::precompile::modexp::{berlin_gas_calc, byzantium_gas_calc, osaka_gas_calc};

    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn modexp_costs_what_the_engine_says() {
        let lengths = [0, 1, 7, 8, 9, 31, 32, 33, 64, 65, 256, 1024, 1025, 1 << 20, 1 << 40];
        let heads = [U256::ZERO, U256::ONE, U256::from(2), U256::from(1_u64 << 40), U256::MAX];
        for length in lengths.into_iter().chain([u64::MAX / 8, u64::MAX]) {
            for exponent in lengths {
                for head in heads {
                    let cost = |spec| modexp_by_length(length, exponent, head, spec);
                    let case = format_args!("{length} {exponent} {head}").to_string();
                    let osaka = osaka_gas_calc(length, exponent, length, &head);
                    assert_eq!(cost(SpecId::OSAKA), osaka, "{case}");
                    let berlin = berlin_gas_calc(length, exponent, length, &head);
                    assert_eq!(cost(SpecId::PRAGUE), berlin, "{case}");
                    let byzantium = byzantium_gas_calc(length, exponent, length, &head);
                    assert_eq!(cost(SpecId::ISTANBUL), byzantium, "{case}");
                }
            }
        }
        // Where the engine's count of rounds saturates, ours costs all the gas that there can be.
        for spec in [SpecId::ISTANBUL, SpecId::PRAGUE, SpecId::OSAKA] {
            assert!(modexp_by_length(1, u64::MAX, U256::ZERO, spec) > 1 << 60);
        }
    }
}
