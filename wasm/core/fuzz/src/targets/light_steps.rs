//! Input: the number of a step of the shared vectors (bootstrap, update or kept store, of the devnet or the beacon chain),
//! then other bytes for it (after 0xff) or edits of the honest ones. What is accepted is a header that a committee signed.

use crate::light::{STEPS, edit, state};

/// One input.
pub fn fuzz(data: &[u8]) {
    let [high, low, rest @ ..] = data else { return };
    let number = usize::from(u16::from_be_bytes([*high, *low]));
    let step = &STEPS.steps[number % STEPS.steps.len()];
    let mut bytes = step.bytes().to_vec();
    match rest {
        [0xff, other @ ..] => bytes = other.to_vec(),
        edits => edit(&mut bytes, edits),
    }
    let mut client = step.client().clone();
    if step.take(&mut client, &bytes).is_err() {
        assert_eq!(state(&client), state(step.client()), "what is refused changes nothing");
        return;
    }
    let held = client.state().expect("a state");
    for header in [held.finalized, held.safe, held.head] {
        assert!(STEPS.headers.contains(header.root.0.as_slice()), "{} is nobody's", header.root);
    }
    let (kept, anchor) = (client.export(), held.anchor);
    if held.forced {
        assert!(kept.is_empty(), "nothing proves a forced step again");
        return;
    }
    let mut again = step.client().clone();
    again.import(&kept, &anchor.0, &mut ()).expect("a client's own store");
    let own = again.state().expect("a state");
    // The beacon chain's head is not kept: it is worth something only while it is fresh.
    assert_eq!(
        (own.period, own.next_known, own.anchor, own.finalized.root),
        (held.period, held.next_known, anchor, held.finalized.root)
    );
}
