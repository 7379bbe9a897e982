//! Files of operators: secret keys, and the committees that a chain's operators agreed on.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use lightproof_prover::chain::committee::operators::{Members, Roster, SecretKey};
use lightproof_prover::hex;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ceremony::random;

/// Makes a key and writes it to a file that only its owner may read.
///
/// # Errors
/// A sentence that names the file; a file that exists is never written over.
pub fn generate(file: &Path) -> Result<SecretKey, String> {
    let failed = |error| format!("cannot write {}: {error}", file.display());
    let key = SecretKey::random(&random()?);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(file).map_err(failed)?;
    let line = format!("{}\n", hex::encode(&key.to_bytes()));
    out.write_all(line.as_bytes()).and_then(|()| out.sync_all()).map_err(failed)?;
    Ok(key)
}

/// Reads secret keys: one a line, 0x and 64 hex digits.
///
/// # Errors
/// A sentence that names the file: others may read it, or a line is no key. It never shows the
/// line.
pub fn read(file: &Path) -> Result<Vec<SecretKey>, String> {
    let name = file.display();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = fs::metadata(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!(
                "{name} has mode {mode:04o}: others may read these secret keys; set it with chmod 600"
            ));
        }
    }
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let keys = lines.map(|(index, line)| {
        let bytes = hex::decode_fixed(line).ok().and_then(|bytes| SecretKey::from_bytes(&bytes));
        bytes.ok_or_else(|| {
            format!("{name}, line {}: expected a secret key, 0x and 64 hex digits", index + 1)
        })
    });
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    if keys.is_empty() { Err(format!("{name} holds no key")) } else { Ok(keys) }
}

/// What an operator gives the others: a public key, and the proof of its possession.
pub fn public(key: &SecretKey) -> Value {
    json!({ "key": hex::encode(&key.public()), "proof": hex::encode(&key.proof()) })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RosterFile {
    period_length: u64,
    committees: Vec<CommitteeFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitteeFile {
    from: u64,
    members: Vec<MemberFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberFile {
    key: String,
    proof: String,
    /// For people.
    #[serde(default)]
    #[expect(dead_code, reason = "read so that a misspelt field is refused")]
    name: String,
}

/// Reads the committees of a chain: `{ periodLength, committees: [{ from, members: [{ key, proof }]
/// }] }`, `from` the first period in which a committee signs.
///
/// # Errors
/// A sentence that names the file: another form, or a key without a true proof of possession.
pub fn roster(file: &Path) -> Result<Roster, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    parse_roster(&text).map_err(|error| format!("{name}: {error}"))
}

fn parse_roster(text: &str) -> Result<Roster, String> {
    let file: RosterFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let committee = |CommitteeFile { from, members }: CommitteeFile| {
        let member = |MemberFile { key, proof, .. }: MemberFile| {
            let key = hex::decode_fixed(&key).map_err(|error| format!("key: {error}"))?;
            let proof = hex::decode_fixed(&proof).map_err(|error| format!("proof: {error}"))?;
            Ok((key, proof))
        };
        let members = members.into_iter().map(member).collect::<Result<Vec<_>, String>>();
        let members = members.and_then(|members| Members::new(&members));
        members
            .map(|members| (from, members))
            .map_err(|error| format!("the committee from period {from}: {error}"))
    };
    let committees = file.committees.into_iter().map(committee).collect::<Result<_, _>>()?;
    Roster::new(file.period_length, committees)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_and_is_for_its_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("key");
        let key = generate(&file).unwrap();
        assert_eq!(read(&file).unwrap()[0].public(), key.public());
        assert!(generate(&file).unwrap_err().contains("exists"), "never written over");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            for mode in [0o640, 0o604, 0o660] {
                fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
                assert!(read(&file).unwrap_err().contains("chmod 600"));
            }
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let secret = hex::encode(&key.to_bytes());
        fs::write(&file, format!("{secret}00\n")).unwrap();
        let error = read(&file).unwrap_err();
        assert!(error.contains("line 1") && !error.contains(&secret), "{error}");
        fs::write(&file, "\n").unwrap();
        assert!(read(&file).unwrap_err().contains("no key"));
    }

    #[test]
    fn a_roster_takes_only_keys_that_are_proven() {
        let keys: Vec<SecretKey> = (1..=3).map(|byte| SecretKey::random(&[byte; 64])).collect();
        let members: Vec<Value> = keys.iter().map(public).collect();
        let text = |members: &Value| {
            json!({ "periodLength": 8, "committees": [{ "from": 0, "members": members }] })
                .to_string()
        };
        let roster = parse_roster(&text(&json!(members))).unwrap();
        assert_eq!(roster.at(100).keys().len(), 3);
        let mut rogue = members.clone();
        rogue[2]["proof"] = members[1]["proof"].clone();
        let error = parse_roster(&text(&json!(rogue))).unwrap_err();
        assert!(error.contains("period 0") && error.contains("possession"), "{error}");
        let mut named = members.clone();
        named[0]["name"] = json!("north");
        parse_roster(&text(&json!(named))).unwrap();
        named[0]["weight"] = json!(9);
        assert!(parse_roster(&text(&json!(named))).unwrap_err().contains("weight"));
        assert!(parse_roster(&text(&json!([]))).is_err());
    }
}
