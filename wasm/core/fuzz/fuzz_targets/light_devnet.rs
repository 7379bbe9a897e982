//! Input: the number of a step of the shared vectors (bootstrap, update, finality or kept store), then other bytes for it
//! (first byte from 0xc0 on) or edits of the honest ones. What is accepted is a header that a committee signed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lightproof_fuzz::light::{DEVNET, edit, state};

fuzz_target!(|data: &[u8]| {
    let [high, low, rest @ ..] = data else { return };
    let number = usize::from(u16::from_be_bytes([*high, *low]));
    let step = &DEVNET.steps[number % DEVNET.steps.len()];
    let mut bytes = step.bytes().to_vec();
    match rest {
        [0xc0..=0xff, ..] => bytes = rest.to_vec(),
        edits => edit(&mut bytes, edits),
    }
    let mut client = step.client().clone();
    if step.take(&mut client, &bytes).is_err() {
        assert_eq!(state(&client), state(step.client()), "what is refused changes nothing");
        return;
    }
    let held = client.state().expect("a state");
    for header in [held.finalized, held.head] {
        assert!(DEVNET.headers.contains(header.root.0.as_slice()), "{} is nobody's", header.root);
    }
    let kept = client.export();
    let mut again = step.client().clone();
    again.import(&kept, &held.anchor.0).expect("a client's own store");
    assert_eq!(state(&again), state(&client));
});
