//! Tokens of Ethereum's Engine API: JSON Web Tokens, HS256 over a secret of 32 bytes.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use lightproof_prover::hex;
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

/// Seconds that `iat` may be away from this clock.
const DRIFT: u64 = 60;

/// What caller and node share.
#[derive(Clone)]
pub struct Secret([u8; 32]);

#[derive(Deserialize)]
struct Header {
    alg: String,
    /// Extensions that a reader must know. There are none.
    crit: Option<Value>,
}

#[derive(Deserialize)]
struct Claims {
    iat: u64,
    exp: Option<u64>,
}

impl Secret {
    /// A secret of 32 bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads a file of 64 hex digits, with or without `0x`.
    ///
    /// # Errors
    /// A sentence that names the file. It does not repeat what the file holds.
    pub fn read(file: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            let file = file.display();
            format!("--jwt {file}: {error}; make a secret with: openssl rand -hex 32 > {file}")
        })?;
        let text = text.trim();
        let digits = text.strip_prefix("0x").unwrap_or(text);
        hex::decode_fixed(&format!("0x{digits}"))
            .map(Self)
            .map_err(|_| format!("--jwt {}: expected 64 hex digits", file.display()))
    }

    /// Checks the value of an `Authorization` header.
    ///
    /// * `now`: seconds since 1970.
    ///
    /// # Errors
    /// What is wrong, for the caller: nothing that helps to guess the secret.
    pub fn check(&self, authorization: Option<&str>, now: u64) -> Result<(), &'static str> {
        let authorization = authorization.ok_or("expected a header Authorization: Bearer TOKEN")?;
        let token = authorization.strip_prefix("Bearer ").ok_or("expected Bearer and a token")?;
        let (signed, signature) = token.rsplit_once('.').ok_or("expected a JSON Web Token")?;
        let (header, claims) = signed.split_once('.').ok_or("expected a JSON Web Token")?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| "wrong signature")?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|_| "wrong signature")?;
        mac.update(signed.as_bytes());
        // Compares in constant time. The token's own words are read only once they are the
        // caller's.
        mac.verify_slice(&signature).map_err(|_| "wrong signature")?;
        let Header { alg, crit } = json(header)?;
        if alg != "HS256" || crit.is_some() {
            return Err("expected the algorithm HS256");
        }
        let Claims { iat, exp } = json(claims)?;
        if iat.abs_diff(now) > DRIFT {
            return Err("expected an iat within 60 seconds of this node's clock");
        }
        if exp.is_some_and(|exp| exp < now) {
            return Err("the token has expired");
        }
        Ok(())
    }
}

fn json<'a, T: Deserialize<'a>>(part: &str) -> Result<T, &'static str> {
    const MALFORMED: &str = "expected a JSON Web Token with alg and iat";
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| MALFORMED)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| MALFORMED)?;
    T::deserialize(value).map_err(|_| MALFORMED)
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use sha2::Sha512;

    use super::*;

    const NOW: u64 = 1_800_000_000;
    const HEADER: &str = r#"{"typ":"JWT","alg":"HS256"}"#;

    fn token(secret: [u8; 32], header: &str, claims: &str) -> String {
        let signed = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
        mac.update(signed.as_bytes());
        format!("Bearer {signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
    }

    fn verdict(authorization: &str) -> Result<(), &'static str> {
        Secret([7; 32]).check(Some(authorization), NOW)
    }

    fn claims(iat: u64) -> String {
        format!(r#"{{"iat":{iat}}}"#)
    }

    #[test]
    fn accepts_the_token_of_rfc_7515_but_for_its_age() {
        // Appendix A.1 has a key of 64 bytes, so this is the same construction with ours, by
        // openssl: printf eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE4MDAwMDAwMDB9 |
        //   openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07 -binary | basenc --base64url
        let signed = "eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE4MDAwMDAwMDB9";
        let token = format!("Bearer {signed}.t0fBxKxboN2NKjr8KAA8iiPhlD6mi_UmykfCh2RQIAs");
        assert_eq!(verdict(&token), Ok(()));
    }

    #[test]
    fn the_clock_may_differ_by_a_minute() {
        for iat in [NOW - 60, NOW, NOW + 60] {
            assert_eq!(verdict(&token([7; 32], HEADER, &claims(iat))), Ok(()));
        }
        for iat in [0, NOW - 61, NOW + 61, u64::MAX] {
            assert!(verdict(&token([7; 32], HEADER, &claims(iat))).unwrap_err().contains("iat"));
        }
        let expired = format!(r#"{{"iat":{NOW},"exp":{}}}"#, NOW - 1);
        assert!(verdict(&token([7; 32], HEADER, &expired)).unwrap_err().contains("expired"));
    }

    #[test]
    fn refuses_other_secrets_algorithms_and_forms() {
        let good = token([7; 32], HEADER, &claims(NOW));
        let unsigned = [r#"{"alg":"none"}"#, &claims(NOW)].map(|part| URL_SAFE_NO_PAD.encode(part));
        let bare = good.rsplit_once('.').unwrap().0;
        // HS512 by the right secret, said so or not.
        let by_sha512 = |header: &str| {
            let signed = [header, &claims(NOW)].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
            let mut mac = Hmac::<Sha512>::new_from_slice(&[7; 32]).unwrap();
            mac.update(signed.as_bytes());
            format!("Bearer {signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
        };
        for (authorization, reason) in [
            (token([8; 32], HEADER, &claims(NOW)), "signature"),
            (token([7; 32], r#"{"alg":"none"}"#, &claims(NOW)), "algorithm"),
            (token([7; 32], r#"{"alg":"hs256"}"#, &claims(NOW)), "algorithm"),
            (token([7; 32], r#"{"alg":"HS512"}"#, &claims(NOW)), "algorithm"),
            (by_sha512(r#"{"alg":"HS512"}"#), "signature"),
            (by_sha512(HEADER), "signature"),
            (token([7; 32], r#"{"alg":"HS256","crit":["b64"]}"#, &claims(NOW)), "algorithm"),
            (token([7; 32], HEADER, "{}"), "iat"),
            (token([7; 32], HEADER, r#"{"iat":"1800000000"}"#), "iat"),
            (token([7; 32], HEADER, "[]"), "iat"),
            (format!("Bearer {}.", unsigned.join(".")), "signature"),
            (format!("Bearer {}", unsigned.join(".")), "JSON Web Token"),
            (format!("{bare}."), "signature"),
            (bare.to_owned(), "JSON Web Token"),
            (good[..good.len() - 1].to_owned(), "signature"),
            (format!("{good}="), "signature"),
            (good.replace("Bearer ", ""), "Bearer"),
            (good.replace("Bearer ", "Basic "), "Bearer"),
            ("Bearer ".to_owned(), "JSON Web Token"),
            (String::new(), "Bearer"),
        ] {
            let error = verdict(&authorization).unwrap_err();
            assert!(error.contains(reason), "{authorization}: {error}");
        }
        assert!(Secret([7; 32]).check(None, NOW).is_err());
        assert_eq!(verdict(&good), Ok(()));
    }

    #[test]
    fn a_secret_is_64_hex_digits_and_is_never_shown() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("jwt.hex");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Secret::read(&file)
        };
        let digits = "0a".repeat(32);
        for text in [digits.clone(), format!("0x{digits}\n"), format!(" {digits}\r\n")] {
            assert_eq!(read(&text).unwrap().0, [10; 32]);
        }
        for text in ["", "0x", &digits[2..], &format!("{digits}00"), &"zz".repeat(32)] {
            let error = read(text).unwrap_err();
            assert!(error.ends_with("expected 64 hex digits"), "{error}");
        }
        assert_eq!(format!("{:?}", Secret([7; 32])), "Secret(..)");
        assert!(Secret::read(Path::new("missing.hex")).unwrap_err().contains("openssl rand"));
    }
}
