//! The list of accounts whose balances a vector holds.

use std::collections::BTreeMap;
use std::path::Path;

use lightproof_prover::chain::Address;
use lightproof_prover::hex;

/// Reads a file of one address a line; the first line is position 0.
///
/// * `size`: positions of the vector.
pub(super) fn read(file: &Path, size: u64) -> Result<&'static [Address], String> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("--balances {}: {error}", file.display()))?;
    let accounts = parse(&text, size);
    let accounts = accounts.map_err(|error| format!("--balances {}: {error}", file.display()))?;
    // Once in a process, and for all of it.
    Ok(Vec::leak(accounts))
}

fn parse(text: &str, size: u64) -> Result<Vec<Address>, String> {
    let mut lines: BTreeMap<Address, u64> = BTreeMap::new();
    let mut accounts = Vec::new();
    for (line, address) in (1..).zip(text.lines()) {
        let address = hex::decode_fixed::<20>(address.trim())
            .map_err(|error| format!("line {line}: expected an address: {error}"))?;
        if let Some(first) = lines.insert(address, line) {
            return Err(format!("line {line} repeats the address of line {first}; remove one"));
        }
        if line > size {
            return Err(format!("line {line}: the vector holds {size} balances"));
        }
        accounts.push(address);
    }
    if accounts.is_empty() { Err("the file is empty".to_owned()) } else { Ok(accounts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    #[test]
    fn positions_are_lines_and_each_line_is_one_address() {
        let lines = |lines: &[&str]| parse(&lines.join("\n"), 2);
        assert_eq!(lines(&[B, A, ""]).unwrap(), [[0xbb; 20], [0xaa; 20]]);
        for (text, reason) in [
            (vec![], "empty"),
            (vec![A, "", B], "line 2: expected an address"),
            (vec![A, &B[..41]], "line 2: expected an address"),
            (
                vec![A, &A.to_uppercase().replace("0X", "0x")],
                "line 2 repeats the address of line 1",
            ),
            (
                vec![A, B, "0xcccccccccccccccccccccccccccccccccccccccc"],
                "the vector holds 2 balances",
            ),
        ] {
            let error = lines(&text).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }
}
