//! What a verification takes, natively, on proofs as large as Ethereum's.

#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use lightproof_core::hash::Hash;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::{Chain, TrustedHeader, Verifier};
use lightproof_testkit::{ask, keccak, large};

fn claims(criterion: &mut Criterion) {
    let chain = large::CHAIN.encode();
    let verifier = Verifier::<Mpt>::new(&chain, &ask::mpt_config(), &[]).expect("well-formed");
    for (name, with_slot) in [("account", false), ("account and slot", true)] {
        let claims = ask::claims(&[large::claim(with_slot)]);
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| verifier.verify(&claims, [0; 32], &mut ()));
        });
    }
}

fn header(criterion: &mut Criterion) {
    let chain = Chain::from_rlp(&large::CHAIN.encode()).expect("well-formed");
    let rlp = large::execution_header(&[1; 32]);
    let hash = Hash(keccak(&rlp));
    criterion.bench_function("header", |bencher| {
        bencher.iter(|| TrustedHeader::pinned(&chain, hash, &rlp));
    });
}

criterion_group!(benches, claims, header);
criterion_main!(benches);
