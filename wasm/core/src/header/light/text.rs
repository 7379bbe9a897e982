//! The light client's entry for bindings and tools: bytes in, JSON text out.
//!
//! * accepted: `{"status":"trusted","changed":…,"participation":[signers,size]|null,"state":S}`, or
//!   with `"header":H` alone for a header checked on its own;
//! * refused: a rejection as [`crate::verifier`] writes it.

use alloc::string::String;
use alloc::vec::Vec;

use super::json::participation;
use super::{Applied, Changed, Form, LightClient, Signed, verify_attested};
use crate::chain::{Chain, Consensus};
use crate::error::{InputError, Rejection};
use crate::header::committee::Committee;
use crate::json::ToJson;
use crate::observer::{Observer, refused};

/// A light client that answers in JSON.
#[derive(Clone, Debug)]
pub struct LightText(LightClient);

impl LightText {
    /// As [`LightClient::new`].
    ///
    /// # Errors
    /// `input.chain`.
    pub fn new(chain: &[u8]) -> Result<Self, InputError> {
        LightClient::new(chain).map(Self)
    }

    /// As [`LightClient::bootstrap`].
    pub fn bootstrap(
        &mut self,
        checkpoint: &[u8],
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> String {
        let verdict = self.0.bootstrap(checkpoint, bytes, observer);
        self.answer(verdict.map(|()| (ALL, None)), observer)
    }

    /// As [`LightClient::apply`]; `form` is `update`, `finality` or `optimistic`.
    pub fn apply(
        &mut self,
        form: &str,
        bytes: &[u8],
        now: u64,
        observer: &mut impl Observer,
    ) -> String {
        let verdict = form_of(form).and_then(|form| self.0.apply(form, bytes, now, observer));
        let taken = verdict.map(|Applied { changed, signers, of }| (changed, Some((signers, of))));
        self.answer(taken, observer)
    }

    /// As [`LightClient::force`].
    pub fn force(&mut self, now: u64, observer: &mut impl Observer) -> String {
        let verdict = self.0.force(now).map(|changed| (changed, None));
        self.answer(verdict, observer)
    }

    /// What the client holds, or `null`.
    pub fn state(&self) -> String {
        let mut out = String::new();
        self.write_state(&mut out);
        out
    }

    /// As [`LightClient::export`].
    pub fn export(&self) -> Vec<u8> {
        self.0.export()
    }

    /// As [`LightClient::import`].
    pub fn import(
        &mut self,
        bytes: &[u8],
        checkpoint: &[u8],
        observer: &mut impl Observer,
    ) -> String {
        let verdict = self.0.import(bytes, checkpoint, observer);
        self.answer(verdict.map(|()| (ALL, None)), observer)
    }

    /// As [`LightClient::attested`].
    pub fn attested(&mut self, header: &[u8], aggregate: &[u8], slot: u64) -> String {
        let verdict = self.0.attested(header, aggregate, slot);
        header_text(&self.0.chain, &verdict)
    }

    /// `keys ‖ aggregate` of a period's committee; empty if the client does not hold it.
    pub fn committee(&self, period: u64) -> Vec<u8> {
        self.0.committee(period).map_or_else(Vec::new, |committee| committee.bytes().to_vec())
    }

    /// As [`LightClient::points`].
    pub fn points(&self) -> Vec<u8> {
        self.0.points()
    }

    /// As [`LightClient::load_points`].
    pub fn load_points(&mut self, bytes: &[u8]) -> String {
        let verdict = self.0.load_points(bytes);
        self.answer(verdict.map(|()| (Changed::default(), None)), &mut ())
    }

    /// The answer as text; a refusal is reported as the last step.
    fn answer(
        &self,
        verdict: Result<(Changed, Option<(usize, usize)>), Rejection>,
        observer: &mut impl Observer,
    ) -> String {
        if let Err(rejection) = &verdict {
            refused(observer, rejection.code(), rejection.span());
        }
        let mut out = String::new();
        match verdict {
            Ok((changed, signers)) => {
                out.push_str("{\"status\":\"trusted\",\"changed\":");
                changed.to_json(&mut out);
                out.push_str(",\"participation\":");
                participation(&mut out, signers);
                out.push_str(",\"state\":");
                self.write_state(&mut out);
                out.push('}');
            }
            Err(rejection) => rejection.to_json(&mut out),
        }
        out
    }

    fn write_state(&self, out: &mut String) {
        match self.0.state() {
            Some(state) => state.to_json(out),
            None => out.push_str("null"),
        }
    }
}

/// As [`verify_attested`], with the chain as RLP and the committee as `keys ‖ aggregate`.
pub fn verify_attested_text(
    chain: &[u8],
    committee: &[u8],
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
) -> String {
    let checked = |chain: &Chain| {
        let size = super::consensus(chain).map(Consensus::committee_size)?;
        let mut committee = Committee::trusted(committee, size)?;
        verify_attested(chain, &mut committee, header, aggregate, slot)
    };
    match Chain::from_rlp(chain) {
        Ok(chain) => header_text(&chain, &checked(&chain)),
        Err(error) => {
            let mut out = String::new();
            Rejection::from(error).to_json(&mut out);
            out
        }
    }
}

fn form_of(name: &str) -> Result<Form, Rejection> {
    match name {
        "update" => Ok(Form::Update),
        "finality" => Ok(Form::Finality),
        "optimistic" => Ok(Form::Optimistic),
        _ => Err(InputError::Request("a form is update, finality or optimistic").into()),
    }
}

/// After a bootstrap or an import, everything is new.
const ALL: Changed = Changed { finalized: true, head: true, safe: true, next: true, period: true };

fn header_text(chain: &Chain, verdict: &Result<Signed, Rejection>) -> String {
    let mut out = String::new();
    match verdict {
        Ok(signed) => {
            out.push_str("{\"status\":\"trusted\",\"participation\":");
            participation(&mut out, signed.signers);
            out.push_str(",\"header\":");
            signed.write(&mut out, chain);
            out.push('}');
        }
        Err(rejection) => rejection.to_json(&mut out),
    }
    out
}
