//! Input: form and fork, then edits of a well-formed SSZ container of that fork, or (fork 255) a whole container. Nobody
//! signed any of it, so a client of the beacon chain stays as it is.

use std::sync::LazyLock;

use crate::light::{beacon_bootstrap, beacon_chain, beacon_update, edit, state};
use lightproof_core::header::light::{Form, LightClient};

static CLIENT: LazyLock<LightClient> = LazyLock::new(|| {
    let mut client = LightClient::new(&beacon_chain()).expect("a chain");
    let (checkpoint, bytes) = beacon_bootstrap();
    client.bootstrap(&checkpoint, &bytes, &mut ()).expect("an honest bootstrap");
    client
});

/// One input.
pub fn fuzz(data: &[u8]) {
    let [form, shape, rest @ ..] = data else { return };
    let form = [Form::Update, Form::Finality, Form::Optimistic][usize::from(form % 3)];
    let mut bytes = beacon_update(usize::from(*shape), form);
    match *shape {
        u8::MAX => bytes = rest.to_vec(),
        _ => edit(&mut bytes, rest),
    }
    let mut client = CLIENT.clone();
    client.apply(form, &bytes, u64::MAX, &mut ()).expect_err("nobody signed it");
    assert_eq!(state(&client), state(&CLIENT));

    let (checkpoint, mut bootstrap) = beacon_bootstrap();
    edit(&mut bootstrap, rest);
    if client.bootstrap(&checkpoint, &bootstrap, &mut ()).is_ok() {
        assert_eq!(bootstrap, beacon_bootstrap().1, "a checkpoint has one bootstrap");
    }
    let mut store = CLIENT.export();
    edit(&mut store, rest);
    if client.import(&store, &checkpoint, &mut ()).is_ok() {
        assert_eq!(state(&client), state(&CLIENT));
    }
}
