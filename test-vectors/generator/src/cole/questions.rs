//! Answers to other questions, malformed questions, and configurations that do not fit.

use super::scene::{Forged, HEAD, Scene, as_of, hot, range, rare};
use crate::case::{Case, Expected, Group, Setting, header_source, invalid};
use crate::edit::Edit as _;
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::header::Header;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::cole::EngineError;
use lightproof_prover::system::cole::prove::Query;

type Result<T> = std::result::Result<T, EngineError>;

/// Every case of this file that needs no configuration of its own.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = answers(scene)?;
    cases.extend(malformed(scene)?);
    Ok(cases)
}

/// Nothing of the range is in the state: with all sources skipped, it would be proven empty and
/// complete.
pub(super) fn after(scene: &Scene) -> Result<Vec<Case>> {
    let claim = |from, to| scene.forged(&range(hot(), from, to), |_| ());
    let code = "verify.query";
    Ok(vec![
        invalid("AfterRoot", "by one block", claim(HEAD + 1, HEAD + 1)?, code),
        invalid("AfterRoot", "by many blocks", claim(HEAD + 1000, u32::MAX)?, code),
    ])
}

fn answers(scene: &Scene) -> Result<Vec<Case>> {
    let asked = range(hot(), 20, HEAD);
    let other = |query: Query| {
        let proof = scene.proof(HEAD, &query)?.encode();
        Ok::<Forged, EngineError>((scene.source(HEAD), asked.encode(), proof))
    };
    let field = |index: usize, value: u64| {
        scene.forged(&asked, |proof| *proof.at(&[index]) = Item::uint(value))
    };
    // The fields say what was asked, the rest answers something else.
    let dressed = |query: Query| {
        let mut proof = scene.proof(HEAD, &query)?;
        *proof.at(&[0]) = Item::uint(u8::from(asked.as_of));
        *proof.at(&[2]) = Item::bytes(asked.address);
        *proof.at(&[3]) = Item::uint(asked.from);
        *proof.at(&[4]) = Item::uint(asked.to);
        Ok::<Forged, EngineError>((scene.source(HEAD), asked.encode(), proof.encode()))
    };
    let (flag, code) = ("OtherQuestion", "verify.query");
    Ok(vec![
        invalid(flag, "about another address", other(range(rare(), 20, HEAD))?, code),
        invalid(flag, "about a wider range", other(range(hot(), 19, HEAD))?, code),
        invalid(flag, "about a narrower range", other(range(hot(), 21, HEAD))?, code),
        invalid(flag, "about a range that ends earlier", other(range(hot(), 20, HEAD - 1))?, code),
        invalid(flag, "about the latest value", other(as_of(hot(), HEAD))?, code),
        invalid(flag, "with m of another chain", field(6, 8)?, code),
        invalid(flag, "with T of another chain", field(7, 4)?, code),
        invalid(flag, "with another height", field(5, 38)?, code),
        invalid("OtherSystem", "of COLE*", field(1, 1)?, code),
        invalid("OtherSystem", "of a system that is none", field(1, 2)?, code),
        invalid(
            flag,
            "about a wider range, dressed up",
            dressed(range(hot(), 19, HEAD))?,
            "verify.order",
        ),
        invalid(
            flag,
            "about a narrower range, dressed up",
            dressed(range(hot(), 21, HEAD))?,
            "verify.boundary",
        ),
        invalid(
            flag,
            "about a range that ends earlier, dressed up",
            dressed(range(hot(), 20, HEAD - 1))?,
            "verify.boundary",
        ),
        // The address is part of every version's hash.
        invalid(
            flag,
            "about another address, dressed up",
            dressed(range(rare(), 20, HEAD))?,
            "verify.boundary",
        ),
        invalid(
            flag,
            "about the latest value, dressed up",
            dressed(as_of(hot(), HEAD))?,
            "verify.boundary",
        ),
    ])
}

fn malformed(scene: &Scene) -> Result<Vec<Case>> {
    let number = |number: u64| Item::uint(number);
    let ask = |mode: u64, address: &[u8], from: u64, to: u64| {
        let items = vec![number(mode), Item::bytes(address), number(from), number(to)];
        let claim = scene.forged(&range(hot(), 1, HEAD), |_| ())?;
        Ok::<Forged, EngineError>((claim.0, Item::List(items).encode(), claim.2))
    };
    let (flag, code) = ("BadQuery", "input.query");
    let address = hot();
    Ok(vec![
        invalid(flag, "an unknown mode", ask(2, &address, 1, 2)?, code),
        invalid(flag, "from after to", ask(0, &address, 2, 1)?, code),
        invalid(flag, "as of two blocks", ask(1, &address, 1, 2)?, code),
        invalid(flag, "an address of 20 bytes", ask(0, &address[..20], 1, 2)?, code),
        invalid(flag, "a block number of five bytes", ask(0, &address, 1, 1 << 32)?, code),
    ])
}

/// Groups with configurations of their own.
pub(super) fn settings(one: &Scene, paper: &Scene) -> Result<Vec<Group>> {
    let query = range(hot(), 20, HEAD);
    let group = |scene: &Scene, setting: Setting, comment: &str, code: &'static str| {
        let claim = scene.forged(&query, |_| ())?;
        Ok::<_, EngineError>(Group {
            setting,
            cases: vec![invalid("BadConfig", comment, claim, code)],
        })
    };
    let pinned = |scene: &Scene, params: Vec<u8>| Setting {
        params_digest: Some(lightproof_prover::hash::keccak256(&params)),
        params,
        ..scene.setting()
    };
    let list =
        |items: &[u64]| Item::List(items.iter().map(|item| Item::uint(*item)).collect()).encode();
    let other = Setting { params: list(&[0, 4, 4]), ..one.setting() };
    Ok(vec![
        group(
            one,
            Setting { format: "cole/2", ..one.setting() },
            "an unknown format",
            "input.config",
        )?,
        group(one, other, "parameters that do not hash to the digest", "input.params")?,
        group(
            one,
            Setting { params_digest: None, ..one.setting() },
            "no digest of parameters",
            "input.params",
        )?,
        group(one, pinned(one, list(&[2, 4, 3])), "an unknown system", "input.params")?,
        group(one, pinned(one, list(&[0, 1, 3])), "m = 1", "input.params")?,
        group(one, pinned(one, list(&[0, 257, 3])), "m = 257", "input.params")?,
        group(one, pinned(one, list(&[0, 4, 1])), "T = 1", "input.params")?,
        group(one, pinned(one, list(&[0, 4, 3, 0])), "a parameter too many", "input.params")?,
        group(
            one,
            pinned(one, list(&[1, 4, 3])),
            "COLE's proof on a chain of COLE*",
            "verify.query",
        )?,
        group(
            one,
            Setting { format: "cole/fast24", ..one.setting() },
            "a proof of cole/1 on a chain of cole/fast24",
            "decode.shape",
        )?,
        group(
            paper,
            Setting { format: "cole/1", ..paper.setting() },
            "a proof of cole/fast24 on a chain of cole/1",
            "decode.shape",
        )?,
        // fast24 commits to neither system nor m.
        group(
            paper,
            pinned(paper, list(&[1, 4, 3])),
            "the authors' COLE proof on a chain of COLE*",
            "verify.source",
        )?,
        group(
            paper,
            pinned(paper, list(&[0, 8, 3])),
            "the authors' proof on a chain with m = 8",
            "verify.incomplete",
        )?,
        headers(one)?,
    ])
}

/// Roots from headers.
fn headers(scene: &Scene) -> Result<Group> {
    let query = as_of(rare(), HEAD);
    let genesis = Header::new([0; 32], 0, Vec::new());
    let header = |commitments| Header::new([7; 32], HEAD.into(), commitments).encode();
    let state = scene.view(HEAD).state.to_vec();
    let claim = |rlp: Vec<u8>| {
        Ok::<Forged, EngineError>((
            header_source(&[rlp]),
            query.encode(),
            scene.proof(HEAD, &query)?.encode(),
        ))
    };
    let cole = |bytes: Vec<u8>| vec![("cole".to_owned(), bytes)];
    let mpt = || vec![("mpt".to_owned(), vec![1; 32])];
    let (source, query_bytes, proof) = claim(header([cole(state.clone()), mpt()].concat()))?;
    let valid = Case {
        comment: "committed by a header, beside another system".to_owned(),
        flags: vec!["Header"],
        source,
        query: query_bytes,
        variant: "plain",
        proof,
        expected: Expected::Valid(scene.fact(HEAD, &query, true)),
    };
    let missing = claim(header(mpt()))?;
    let short = claim(header(cole(state[..31].to_vec())))?;
    let wrong = claim(header(cole(vec![1; 32])))?;
    let setting = Setting { genesis_hash: genesis.hash(), chain_id: CHAIN_ID, ..scene.setting() };
    Ok(Group {
        setting,
        cases: vec![
            valid,
            invalid(
                "Header",
                "a header that commits to other systems only",
                missing,
                "verify.commitment",
            ),
            invalid("Header", "a commitment of 31 bytes", short, "verify.commitment"),
            invalid("Header", "a commitment to another state", wrong, "verify.root"),
        ],
    })
}
