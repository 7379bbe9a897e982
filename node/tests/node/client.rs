//! A light client of one system, beside a service: it asks by a block's hash, and verifies under
//! that block's header.

use lightproof_core::Verifier;
use lightproof_core::system::System;
use lightproof_generator::case::{Case, Expected, Setting, Source};
use lightproof_node::service::Service;
use lightproof_prover::hex;
use serde_json::{Value, json};

use crate::verify::setting;

/// The verifier of a node's system, its public parameters as the node serves them.
pub(crate) struct Client<S: System> {
    verifier: Verifier<S>,
    /// What the node can make.
    variants: &'static [&'static str],
}

impl<S: System> Client<S> {
    pub(crate) fn of(service: &Service) -> Self {
        let node = service.node();
        let spec = &node.systems().iter().find(|served| served.spec.name == S::NAME).unwrap().spec;
        let digest = spec.params;
        let params = digest.map_or_else(Vec::new, |digest| {
            let params = json!([hex::encode(&digest)]);
            let snapshot = service.snapshot().unwrap();
            let params = service.call(&snapshot, "lp_getParams", &params).unwrap();
            hex::decode(params.as_str().unwrap()).unwrap()
        });
        let setting =
            Setting { format: spec.format, params_digest: digest, params, ..setting(node) };
        let (chain, config) = (setting.chain_rlp(), setting.config_rlp());
        let verifier = Verifier::new(&chain, &config, &setting.params).unwrap();
        Self { verifier, variants: spec.variants }
    }

    /// The verdict on the answer of a service, be it a liar's, under the honest header of the
    /// block.
    ///
    /// * `accepted`: names of the variants that the client takes.
    ///
    /// # Errors
    /// The code of the answer, if it is an error.
    pub(crate) fn ask(
        &self,
        service: &Service,
        block: u64,
        query: &[u8],
        accepted: &[&str],
    ) -> Result<Value, i64> {
        let snapshot = service.snapshot().unwrap();
        let header = snapshot.header(block).unwrap().unwrap();
        let options = json!({ "blockHash": hex::encode(&header.hash()), "variants": accepted });
        let params = json!([S::NAME, hex::encode(query), options]);
        let reply = service.call(&snapshot, "lp_getProof", &params).map_err(|error| error.code)?;
        let mut variants = self.variants.iter();
        let case = Case {
            comment: String::new(),
            flags: vec![],
            source: Source::Header { hash: header.hash(), rlps: vec![header.encode()] },
            query: query.to_vec(),
            variant: variants.find(|name| reply["variant"] == **name).unwrap(),
            proof: hex::decode(reply["proof"].as_str().unwrap()).unwrap(),
            expected: Expected::Invalid(""),
        };
        let verdicts = self.verifier.verify(&case.claims_rlp(), [9; 32], &mut ());
        Ok(serde_json::from_str::<Value>(&verdicts).unwrap()[0].clone())
    }
}
