//! The periods that benchmarks measure: core's light client takes them, and nothing that differs
//! from them.

use lightproof_core::error::Rejection;
use lightproof_core::header::light::{Form, LightClient};
use lightproof_generator::light::beacon::mainnet::{Period, periods};

/// A caller without a clock.
const NOW: u64 = u64::MAX;

fn begun(period: &Period) -> LightClient {
    let mut client = LightClient::new(&period.chain).unwrap();
    client.bootstrap(&period.checkpoint, &period.bootstrap, &mut ()).unwrap();
    client
}

fn finalized(period: &Period, form: Form, bytes: &[u8]) -> Result<u64, Rejection> {
    let mut client = begun(period);
    client.apply(form, bytes, NOW, &mut ())?;
    Ok(client.state().map_or(0, |state| state.finalized.slot))
}

#[test]
fn a_client_takes_both_shapes_of_512_keys() {
    let periods = periods();
    assert_eq!(periods.each_ref().map(|period| period.shape), ["electra", "gloas"]);
    for period in &periods {
        assert!(period.bootstrap.len() > 513 * 48 && period.update.len() > 513 * 48);
        for (form, bytes) in [(Form::Update, &period.update), (Form::Finality, &period.finality)] {
            assert_eq!(finalized(period, form, bytes).unwrap(), period.finalized);
        }
    }
}

#[test]
fn a_client_refuses_them_changed_or_at_another_checkpoint() {
    for period in &periods() {
        // The finalized header's branch, bits, signature and slot, a byte of each.
        for back in [8 + 96 + 64 + 1, 8 + 96 + 1, 8 + 1, 1] {
            for (form, honest) in
                [(Form::Update, &period.update), (Form::Finality, &period.finality)]
            {
                // In Electra's shape headers follow that part, at the first offset.
                let offset = u32::from_le_bytes(*honest.first_chunk().unwrap());
                let end = if period.shape == "gloas" { honest.len() } else { offset as usize };
                let mut bytes = honest.clone();
                bytes[end - back] ^= 1;
                assert!(finalized(period, form, &bytes).is_err(), "{} {back}", period.shape);
            }
        }
        let mut other = period.checkpoint;
        other[0] ^= 1;
        let mut client = LightClient::new(&period.chain).unwrap();
        assert!(client.bootstrap(&other, &period.bootstrap, &mut ()).is_err());
    }
}
