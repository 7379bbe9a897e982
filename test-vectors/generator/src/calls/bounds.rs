//! Contracts that run for ever, fill the memory, call deep, or touch everything; and what a request
//! may ask.

use lightproof_testkit::calls::{CALLED, Request, World, call, word};

use super::{Answer, Case, case, refused};

fn of(code: &str) -> Request {
    World::of(code).request(call())
}

fn returned(value: u64) -> Answer {
    Answer::Success(word(value).to_vec())
}

/// A return of so many bytes, as READER's own and in a frame below.
fn long_returns() -> Vec<Case> {
    let sizes = [("4 GiB", "63ffffffff"), ("2^64 bytes", "67ffffffffffffffff")];
    let case = |(name, size): (&str, &str)| {
        let mut world =
            World::of("5f5f5f5f5f73bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb61fffff15f5260205ff3");
        world.contract(CALLED, &format!("{size}5ff3"), &[]);
        let below = format!("a return of {name} below: its caller goes on");
        [
            case("Bomb", &format!("a return of {name}"), of(&format!("{size}5ff3")), Answer::Halt),
            case("Bomb", &below, world.request(call()), returned(0)),
        ]
    };
    sizes.into_iter().flat_map(case).collect()
}

/// Calls that go as deep, and read as much, as they may.
fn edges() -> Vec<Case> {
    // Each frame returns one more than the frame below it.
    let mut deep = of("60205f5f5f5f305af1505f516001015f5260205ff3");
    // Of 2^40 gas, 1,024 times 63/64 leave enough for the last frame.
    (deep.limits[0], deep.calls[0].gas) = (1 << 40, 1 << 40);
    // i = 1000; loop: BALANCE(i); i += 1; jump if i is less. All are proven absent.
    let reads = |count: u64| {
        let end = 1000 + count;
        let mut request = of(&format!("6103e85b8031506001018061{end:04x}1160035700"));
        (request.limits[0], request.calls[0].gas) = (1 << 26, 1 << 26);
        request
    };
    vec![
        case("Bomb", "a stack of 1,025 frames, the deepest there is", deep, returned(1025)),
        // With the called contract and its code, 10,000 items.
        case("Bomb", "9,998 accounts read", reads(9_998), Answer::Success(Vec::new())),
        case("Bomb", "9,999 accounts read", reads(9_999), Answer::Refused("call.limit")),
    ]
}

pub(super) fn cases() -> Vec<Case> {
    // 512 kB in every frame, and a call of itself.
    let greedy = of("5f6207ffe0525f5f5f5f5f305af100");
    let mut memory = greedy.clone();
    memory.limits[1] = 2 << 20;
    // i = 1000; loop: BALANCE(i); i += 1; jump. All are proven absent.
    let mut items = of("6103e85b803150600101600356");
    items.limits[2] = 100;
    let mut gas = of("00");
    gas.calls[0].gas += 1;
    let mut little = of("00");
    little.calls[0].gas = 20_999;
    let mut many = of("00");
    many.calls = vec![call(); 1025];
    let mut cases = vec![
        case("Bomb", "an endless loop", of("5b600056"), Answer::Halt),
        case(
            "Bomb",
            "an endless loop of hashes of 64 kB",
            of("5b62010000600020505f56"),
            Answer::Halt,
        ),
        case("Bomb", "512 kB in every frame", greedy, Answer::Success(Vec::new())),
        case("Bomb", "512 kB in every frame of 2 MiB", memory, Answer::Refused("call.limit")),
        case("Bomb", "one account after the other", items, Answer::Refused("call.limit")),
        case("Bomb", "more gas than the limit", gas, Answer::Refused("call.limit")),
        case("Request", "too little gas to begin", little, Answer::Refused("call.refused")),
        case(
            "Honest",
            "a revert with its reason",
            of("602a5f5260205ffd"),
            Answer::Revert(word(42).to_vec()),
        ),
        case("Honest", "an instruction that is none", of("0c"), Answer::Halt),
        refused("Request", "1,025 calls", many, "input.request"),
    ];
    cases.extend(long_returns());
    cases.extend(edges());
    cases
}
