//! A light client's results as JSON text.

use alloc::string::String;

use super::{Changed, Signed, State};
use crate::chain::Chain;
use crate::json::{self, ToJson};

impl State<'_> {
    /// `{"period","nextKnown","forced","anchor":{"root","slot","ofNext"},"finalized":H,"head":H,"
    /// safe":H}`.
    fn write(&self, out: &mut String) {
        out.push_str("{\"period\":");
        integer(out, self.period);
        out.push_str(",\"nextKnown\":");
        boolean(out, self.next_known);
        out.push_str(",\"forced\":");
        boolean(out, self.forced);
        out.push_str(",\"anchor\":{\"root\":");
        json::bytes(out, &self.anchor.0);
        out.push_str(",\"slot\":");
        integer(out, self.anchor_slot);
        out.push_str(",\"ofNext\":");
        boolean(out, self.anchor_of_next);
        out.push_str("},\"finalized\":");
        self.finalized.write(out, self.chain);
        out.push_str(",\"head\":");
        self.head.write(out, self.chain);
        out.push_str(",\"safe\":");
        self.safe.write(out, self.chain);
        out.push('}');
    }
}

impl ToJson for State<'_> {
    fn to_json(&self, out: &mut String) {
        self.write(out);
    }
}

impl Signed {
    /// `{"slot","root","timestamp","period","participation","execution"}`.
    pub fn write(&self, out: &mut String, chain: &Chain) {
        out.push_str("{\"slot\":");
        integer(out, self.slot);
        out.push_str(",\"root\":");
        json::bytes(out, &self.root.0);
        out.push_str(",\"timestamp\":");
        integer(out, self.timestamp);
        out.push_str(",\"period\":");
        integer(out, chain.consensus.as_ref().map_or(0, |consensus| consensus.period(self.slot)));
        out.push_str(",\"participation\":");
        participation(out, self.signers);
        out.push_str(",\"execution\":");
        match &self.execution {
            None => out.push_str("null"),
            Some(execution) => {
                out.push_str("{\"hash\":");
                json::bytes(out, &execution.hash.0);
                out.push_str(",\"number\":");
                match execution.number {
                    Some(number) => integer(out, number),
                    None => out.push_str("null"),
                }
                out.push('}');
            }
        }
        out.push('}');
    }
}

impl ToJson for Changed {
    fn to_json(&self, out: &mut String) {
        let Self { finalized, head, safe, next, period } = *self;
        let flags = [
            ("finalized", finalized),
            ("head", head),
            ("safe", safe),
            ("next", next),
            ("period", period),
        ];
        for (index, (name, flag)) in flags.into_iter().enumerate() {
            out.push(if index == 0 { '{' } else { ',' });
            json::string(out, name);
            out.push(':');
            boolean(out, flag);
        }
        out.push('}');
    }
}

/// `[signers, size]`, or null for a header that nobody had to sign.
pub(super) fn participation(out: &mut String, signers: Option<(usize, usize)>) {
    match signers {
        Some((signers, size)) => {
            json::list(out, &[signers, size], |out, count| json::number(out, *count));
        }
        None => out.push_str("null"),
    }
}

fn integer(out: &mut String, value: u64) {
    json::quantity(out, &value.to_be_bytes());
}

fn boolean(out: &mut String, flag: bool) {
    out.push_str(if flag { "true" } else { "false" });
}
