//! Lists of a block under its header: what is honest is proven, and nothing that differs in a byte.

mod read;

use alloy_trie::root::ordered_trie_root_with_encoder;
use lightproof_core::body::{BLOOM_BYTES, Body, Fact};
use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::error::{Span, VerifyError};
use lightproof_core::hash::Hash;
use lightproof_core::wire::Uint256;
use lightproof_core::{Claim, Rejection, Root, TrustedHeader, Verifier, verify};
use lightproof_testkit::{Rlp, ask as bytes_of, body, header, keccak};

const A: [u8; 20] = [0xaa; 20];
const B: [u8; 20] = [0xbb; 20];

fn typed(kind: u8, fields: &Rlp) -> Vec<u8> {
    let first = (kind > 0).then_some(kind);
    first.into_iter().chain(fields.encode()).collect()
}

/// A transaction of each type; `kind` 5 is of a later fork.
fn transaction(kind: u8, nonce: u64) -> Vec<u8> {
    let fee = if kind < 2 { vec![Rlp::uint(30)] } else { vec![Rlp::uint(2), Rlp::uint(40)] };
    let chain = (kind > 0).then(|| Rlp::uint(1337));
    let head: Vec<Rlp> = chain.into_iter().chain([Rlp::uint(nonce)]).chain(fee).collect();
    let rest = [Rlp::uint(21_000), Rlp::str(A), Rlp::uint(5), Rlp::str([1, 2, 3])];
    let access = Rlp::list([Rlp::list([Rlp::str(B), Rlp::strings([[7; 32]])])]);
    let blobs = [Rlp::uint(9), Rlp::strings([[1; 32], [2; 32]])];
    let signed =
        [Rlp::uint(0), Rlp::str(B), Rlp::uint(4), Rlp::uint(1), Rlp::uint(8), Rlp::uint(9)];
    let consent = Rlp::list([Rlp::list(signed)]);
    let v = if kind == 0 { 2709 } else { 1 };
    let fields = head
        .into_iter()
        .chain(rest)
        .chain((kind > 0).then_some(access))
        .chain((kind == 3).then_some(blobs).into_iter().flatten())
        .chain((kind == 4).then_some(consent))
        .chain([Rlp::uint(v), Rlp::uint(5), Rlp::uint(6)]);
    typed(kind, &Rlp::list(fields))
}

fn log(address: [u8; 20], topics: &[[u8; 32]]) -> Rlp {
    Rlp::list([Rlp::str(address), Rlp::strings(topics), Rlp::str([0xde, 0xad])])
}

fn set(bloom: &mut [u8; BLOOM_BYTES], entry: &[u8]) {
    let hash = keccak(entry);
    for pair in 0..3 {
        let bit = usize::from(u16::from_be_bytes([hash[2 * pair], hash[2 * pair + 1]]) & 2047);
        bloom[BLOOM_BYTES - 1 - bit / 8] |= 1 << (bit % 8);
    }
}

fn receipt(kind: u8, gas: u64, logs: Vec<Rlp>) -> Vec<u8> {
    let fields = [Rlp::uint(1), Rlp::uint(gas), Rlp::str([0; BLOOM_BYTES]), Rlp::List(logs)];
    typed(kind, &Rlp::list(fields))
}

struct Block {
    transactions: Vec<Vec<u8>>,
    receipts: Vec<Vec<u8>>,
    withdrawals: Vec<Vec<u8>>,
    bloom: [u8; BLOOM_BYTES],
}

fn block() -> Block {
    let transactions = (0..5).map(|kind| transaction(kind, kind.into())).collect();
    let mut bloom = [0; BLOOM_BYTES];
    for entry in [&A[..], &[1; 32], &[2; 32]] {
        set(&mut bloom, entry);
    }
    let logs = |kind: u64| match kind {
        1 => vec![log(A, &[[1; 32], [2; 32]]), log(A, &[])],
        3 => vec![log(A, &[[2; 32]])],
        _ => vec![],
    };
    let receipts =
        (0..5_u8).map(|kind| receipt(kind, 21_000 * (u64::from(kind) + 1), logs(kind.into())));
    let paid = |index| [Rlp::uint(index), Rlp::uint(3), Rlp::str(B), Rlp::uint(1_000)];
    let withdrawals = (0..3).map(|index| Rlp::list(paid(index)).encode()).collect();
    Block { transactions, receipts: receipts.collect(), withdrawals, bloom }
}

fn trie(list: &[Vec<u8>]) -> [u8; 32] {
    ordered_trie_root_with_encoder(list, |item, out| out.extend_from_slice(item)).0
}

impl Block {
    fn root(&self) -> Root<Body> {
        let lists = [&self.transactions, &self.receipts].map(|list| Rlp::str(trie(list)));
        let rest = [Rlp::str(self.bloom), Rlp::uint(7), Rlp::str(trie(&self.withdrawals))];
        let bytes = Rlp::list(lists.into_iter().chain(rest)).encode();
        Root::pinned(&(), &bytes, 9).unwrap()
    }

    /// Every question, with its honest proof.
    fn questions(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let Self { transactions, receipts, withdrawals, .. } = self;
        let logs = |hashes| body::filter("logs", &[A.to_vec()], &[], Some(hashes));
        vec![
            (body::query("transactions", &[]), body::proof(&[transactions])),
            (body::query("receipts", &[1, 3]), body::proof(&[transactions, receipts])),
            (Rlp::strings(["withdrawals"]).encode(), body::proof(&[withdrawals])),
            (logs(false), body::proof(&[receipts])),
            (logs(true), body::proof(&[transactions, receipts])),
            (body::filter("bloom", &[A.to_vec()], &[], None), body::proof(&[])),
        ]
    }
}

fn ask(root: &Root<Body>, query: &[u8], proof: &[u8]) -> Result<Fact, Rejection> {
    let claim = Claim { root, query, variant: "plain", proof };
    verify(&(), &[claim], [0; 32], &mut ()).remove(0).map(|proven| proven.fact().clone())
}

fn code(verdict: Result<Fact, Rejection>) -> &'static str {
    verdict.map_or_else(|rejection| rejection.code(), |_| "proven")
}

#[test]
fn no_proof_that_differs_in_a_byte_is_proven() {
    let block = block();
    let root = block.root();
    let mut tried = 0;
    for (query, proof) in block.questions() {
        ask(&root, &query, &proof).unwrap();
        for at in 0..proof.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = proof.clone();
                changed[at] ^= change;
                assert_ne!(code(ask(&root, &query, &changed)), "proven", "byte {at} ^ {change}");
                tried += 1;
            }
            assert_ne!(code(ask(&root, &query, &proof[..at])), "proven", "cut at {at}");
        }
        let longer = [&proof[..], &[0]].concat();
        assert_eq!(code(ask(&root, &query, &longer)), "decode.rlp");
    }
    assert!(tried > 10_000, "{tried}");
}

#[test]
fn a_proof_answers_no_other_question() {
    let block = block();
    let root = block.root();
    let questions = block.questions();
    for (asked, (query, own)) in questions.iter().enumerate() {
        for (answered, (_, proof)) in questions.iter().enumerate() {
            let verdict = code(ask(&root, query, proof));
            if own == proof {
                assert_eq!(verdict, "proven", "{asked} by {answered}");
            } else {
                assert_ne!(verdict, "proven", "{asked} by {answered}");
            }
        }
    }
}

/// Under a root that commits to it: what consensus never makes, and a header may still say.
#[test]
fn lists_that_do_not_fit_each_other_are_refused() {
    let query = body::query("receipts", &[]);
    let verdict = |block: &Block| {
        let proof = body::proof(&[&block.transactions, &block.receipts]);
        code(ask(&block.root(), &query, &proof))
    };
    assert_eq!(verdict(&block()), "proven");
    let fewer = Block { receipts: block().receipts[..4].to_vec(), ..block() };
    assert_eq!(verdict(&fewer), "verify.claim");
    let mut other_type = block();
    other_type.receipts[2] = receipt(1, 63_000, vec![]);
    assert_eq!(verdict(&other_type), "verify.claim");
    let mut falling = block();
    falling.receipts[2] = receipt(2, 41_999, vec![]);
    assert_eq!(verdict(&falling), "verify.claim");
}

#[test]
fn a_type_of_a_later_fork_is_named_and_blames_nobody() {
    let mut block = block();
    block.transactions[1] = transaction(5, 1);
    let query = body::query("transactions", &[0]);
    let proof = body::proof(&[&block.transactions]);
    assert_eq!(code(ask(&block.root(), &query, &proof)), "verify.unsupported");
    // Under another root it is a lie like any other.
    let honest = self::block().root();
    assert_eq!(code(ask(&honest, &query, &proof)), "verify.root");
}

#[test]
fn a_block_before_shanghai_has_no_withdrawals() {
    let block = block();
    let fields = [Rlp::str(trie(&block.transactions)), Rlp::str(trie(&block.receipts))];
    let bytes = Rlp::list(fields.into_iter().chain([Rlp::str(block.bloom)])).encode();
    let root = Root::pinned(&(), &bytes, 9).unwrap();
    let query = Rlp::strings(["withdrawals"]).encode();
    assert_eq!(ask(&root, &query, &body::proof(&[&[]])).unwrap(), Fact::Withdrawals(vec![]));
    let some = body::proof(&[&block.withdrawals]);
    assert_eq!(code(ask(&root, &query, &some)), "verify.root");
    // With a root in the header, none is a lie.
    assert_eq!(code(ask(&block.root(), &query, &body::proof(&[&[]]))), "verify.root");
}

#[test]
fn questions_have_one_form() {
    let root = block().root();
    let none = Rlp::list([]);
    let long = Rlp::list((0..1025).map(Rlp::uint));
    for query in [
        Rlp::list([]),
        Rlp::strings(["uncles"]),
        Rlp::list([Rlp::str("transactions")]),
        Rlp::list([Rlp::str("transactions"), Rlp::list([Rlp::uint(2), Rlp::uint(1)])]),
        Rlp::list([Rlp::str("transactions"), Rlp::list([Rlp::uint(1), Rlp::uint(1)])]),
        Rlp::list([Rlp::str("receipts"), long]),
        Rlp::list([Rlp::str("withdrawals"), none.clone()]),
        Rlp::list([Rlp::str("logs"), none.clone(), none.clone()]),
        Rlp::list([Rlp::str("logs"), none.clone(), none.clone(), Rlp::uint(2)]),
        Rlp::list([Rlp::str("bloom"), none.clone(), none.clone(), Rlp::uint(0)]),
        Rlp::list([Rlp::str("bloom"), Rlp::list([Rlp::str([1; 19])]), none.clone()]),
        Rlp::list([Rlp::str("bloom"), none.clone(), Rlp::list((0..5).map(|_| none.clone()))]),
    ] {
        assert_eq!(
            code(ask(&root, &query.encode(), &body::proof(&[]))),
            "input.query",
            "{query:?}"
        );
    }
}

/// A block without logs of an address says so by its Bloom filter alone; with one, it never does.
#[test]
fn the_bloom_filter_excludes_what_is_not_there() {
    let root = block().root();
    let may = |addresses: &[[u8; 20]], topics: &[Vec<[u8; 32]>]| {
        let addresses: Vec<_> = addresses.iter().map(|each| each.to_vec()).collect();
        let each = |any: &Vec<[u8; 32]>| any.iter().map(|topic| topic.to_vec()).collect();
        let topics: Vec<Vec<Vec<u8>>> = topics.iter().map(each).collect();
        let query = body::filter("bloom", &addresses, &topics, None);
        ask(&root, &query, &body::proof(&[])).unwrap() == Fact::Bloom(true)
    };
    assert!(may(&[], &[]) && may(&[A], &[]) && may(&[B, A], &[vec![], vec![[2; 32]]]));
    assert!(!may(&[B], &[]) && !may(&[A], &[vec![[3; 32]]]) && !may(&[], &[vec![], vec![[3; 32]]]));
    assert!(may(&[], &[vec![[3; 32], [1; 32]]]));
}

#[test]
fn the_system_has_one_format_and_no_parameters() {
    let of = |format: &str, digest: &[u8], params: &[u8]| {
        let config = Rlp::list([Rlp::str(format), Rlp::str(digest)]).encode();
        let chain =
            bytes_of::Chain { kind: "ethereum", chain_id: 1, genesis_hash: [1; 32] }.encode();
        let made = Verifier::<Body>::new(&chain, &config, params);
        made.map_or_else(|error| error.code(), |_| "made")
    };
    assert_eq!(of("body/1", &[], &[]), "made");
    assert_eq!(of("body/2", &[], &[]), "input.config");
    assert_eq!(of("body/1", &[2; 32], &[]), "input.params");
    assert_eq!(of("body/1", &[], &[1]), "input.params");
}

#[test]
fn an_ethereum_header_commits_to_its_lists_and_a_devnet_header_to_none() {
    let block = block();
    let word = |byte: u8| Rlp::str([byte; 32]);
    let head = [word(1), word(2), Rlp::str(A), word(3)];
    let lists = [&block.transactions, &block.receipts].map(|list| Rlp::str(trie(list)));
    let numbers = [0, 5, 30_000_000, 0, 1_700_000_000].map(Rlp::uint);
    let tail = [Rlp::str([]), word(4), Rlp::str([0; 8]), Rlp::uint(7)];
    let withdrawals = Rlp::str(trie(&block.withdrawals));
    let fields = head.into_iter().chain(lists).chain([Rlp::str(block.bloom)]).chain(numbers);
    let rlp = Rlp::list(fields.chain(tail).chain([withdrawals])).encode();
    let chain = |kind| Chain { kind, chain_id: 1, genesis_hash: Hash([9; 32]), consensus: None };
    let hash = Hash(keccak(&rlp));
    let header = TrustedHeader::pinned(&chain(ChainKind::Ethereum), hash, &rlp).unwrap();
    let root = Root::committed(&(), &header).unwrap();
    for (query, proof) in block.questions() {
        assert_eq!(code(ask(&root, &query, &proof)), "proven");
    }
    let rlp = header::devnet(1, &[1; 32], 5, &[2; 32]);
    let hash = Hash(keccak(&rlp));
    let header = TrustedHeader::pinned(&chain(ChainKind::Devnet), hash, &rlp).unwrap();
    let refused = Root::<Body>::committed(&(), &header).unwrap_err();
    assert_eq!(refused.code(), "verify.commitment");
}

#[test]
fn only_what_was_asked_for_is_told() {
    let block = block();
    let root = block.root();
    let proof = body::proof(&[&block.transactions, &block.receipts]);
    for (asked, told) in
        [(vec![], vec![0, 1, 2, 3, 4]), (vec![1, 3], vec![1, 3]), (vec![7], vec![])]
    {
        let fact = ask(&root, &body::query("receipts", &asked), &proof).unwrap();
        let Fact::Receipts { count, list } = fact else { panic!("another fact") };
        assert_eq!((count, list.iter().map(|one| one.index).collect()), (5, told.clone()));
        for one in &list {
            let index = usize::try_from(one.index).unwrap();
            assert_eq!(one.envelope, block.receipts[index]);
            // The block's base fee is 7, and tips are 2.
            assert_eq!(one.price, Uint256::from(if index < 2 { 30 } else { 9 }));
            assert_eq!(one.blob_gas, (index == 3).then_some(2 * 131_072));
        }
        let proof = body::proof(&[&block.transactions]);
        let fact = ask(&root, &body::query("transactions", &asked), &proof).unwrap();
        let Fact::Transactions { count, list } = fact else { panic!("another fact") };
        assert_eq!((count, list.iter().map(|one| one.index).collect()), (5, told));
    }
}

#[test]
fn the_shortest_item_has_ten_bytes() {
    let query = body::query("transactions", &[]);
    let verdict = |item: &[u8]| {
        let block = Block { transactions: vec![item.to_vec()], ..block() };
        code(ask(&block.root(), &query, &body::proof(&[&block.transactions])))
    };
    // Nine fields, all empty.
    assert_eq!(verdict(&[&[0xc9], &[0x80; 9][..]].concat()), "proven");
    assert_eq!(verdict(&[5; 10]), "verify.unsupported");
    assert_eq!(verdict(&[5; 9]), "decode.shape");
}

#[test]
fn a_list_of_another_root_is_told_with_its_place() {
    let block = block();
    let proof = body::proof(&[&block.withdrawals[..2]]);
    let query = Rlp::strings(["withdrawals"]).encode();
    let refused = ask(&block.root(), &query, &proof).unwrap_err();
    let Rejection::Verify(VerifyError::Root { span, .. }) = refused else { panic!("{refused}") };
    let items: usize =
        block.withdrawals[..2].iter().map(|item| Rlp::str(item).encode().len()).sum();
    assert_eq!(span, Span { start: proof.len() - items, end: proof.len() });
}
