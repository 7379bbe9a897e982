//! WebAssembly bindings of `lightproof-core`: bytes in, JSON text out, no logic.
//!
//! Each file `modules/plain_…` or `modules/trace_…` is the root of one WebAssembly module and lists
//! what it exports: the other files of `modules/`, a folder for the systems that share their
//! arithmetic. A page loads only the modules that its systems need; a `trace_…` module also shows
//! how a proof is checked. The byte forms are those of [`lightproof_core::verifier`].
//!
//! No module links std: its panic handler writes a message to where nobody reads it, and brings all
//! of the formatting along that messages need. A dependency that links std does not compile: there
//! would be two panic handlers, std's and the one below.

#![no_std]

extern crate alloc;
// On other targets these modules are checked and never run.
#[cfg(not(target_arch = "wasm32"))]
extern crate std;

pub mod known;
mod sink;

pub use sink::Sink;

#[doc(hidden)]
pub use alloc::{string::String, vec::Vec};

use lightproof_core::json::ToJson;
use lightproof_core::{InputError, Rejection};
use wasm_bindgen::JsValue;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// A panic is a trap, which the page sees as an error.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Exports one system as a handle that keeps its prepared parameters.
///
/// The root of the module that calls it says by the name `trace` whether the handle also tells its steps:
/// [`export_trace`] or [`no_trace`].
#[allow(clippy::crate_in_macro_def)] // The module's crate, which says it.
#[macro_export]
macro_rules! export_system {
    ($(#[$doc:meta])* $name:ident, $system:ty) => {
        $(#[$doc])*
        #[wasm_bindgen::prelude::wasm_bindgen]
        #[derive(Debug)]
        pub struct $name(pub(crate) lightproof_core::Verifier<$system>);

        #[wasm_bindgen::prelude::wasm_bindgen]
        impl $name {
            /// Reads the chain, the system's configuration (both RLP) and its public parameters.
            ///
            /// # Errors
            /// Throws a rejection as JSON text.
            #[wasm_bindgen(constructor)]
            pub fn new(
                chain: &[u8],
                config: &[u8],
                params: &[u8],
            ) -> Result<$name, wasm_bindgen::JsValue> {
                let verifier = lightproof_core::Verifier::new(chain, config, params);
                verifier.map(Self).map_err($crate::rejection)
            }

            /// Checks claims together; a JSON array with one verdict each, in order.
            ///
            /// `fresh`: 32 bytes from the platform's random generator.
            ///
            /// # Errors
            /// Throws a rejection as JSON text if `fresh` is not 32 bytes.
            pub fn verify(
                &self,
                claims: &[u8],
                fresh: &[u8],
            ) -> Result<$crate::String, wasm_bindgen::JsValue> {
                Ok(self.0.verify(claims, $crate::fresh_bytes(fresh)?, &mut ()))
            }
        }

        crate::trace!($name);
    };
}

/// Has an exported system also settle in parts: several workers make one each.
#[macro_export]
macro_rules! export_parts {
    ($name:ident) => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        impl $name {
            /// A part of what `verify` settles: number `number`, from 0, of `of`. Empty if `verify`
            /// has to do it.
            pub fn part(
                &self,
                claims: &[u8],
                fresh: &[u8],
                number: usize,
                of: usize,
            ) -> $crate::Vec<u8> {
                let part = lightproof_core::system::Part { number, of };
                let fresh = fresh.try_into().ok();
                fresh.and_then(|fresh| self.0.part(claims, fresh, part)).unwrap_or_default()
            }
        }
    };
}

/// Has a module join the parts of its systems' settlements, which are all on one curve.
#[macro_export]
macro_rules! export_join {
    ($curve:ty) => {
        /// Verdicts as `verify` has them, by all parts, an RLP list in their order. Empty if
        /// `verify` has to do it.
        #[wasm_bindgen::prelude::wasm_bindgen]
        pub fn join(parts: &[u8]) -> $crate::String {
            lightproof_core::verifier::join::<lightproof_core::algebra::Equations<$curve>>(parts)
                .unwrap_or_default()
        }
    };
}

/// An exported system that only gives verdicts.
#[macro_export]
macro_rules! no_trace {
    ($name:ident) => {};
}

/// Imports the clock that [`export_trace`] reads.
#[macro_export]
macro_rules! import_clock {
    () => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        extern "C" {
            /// Milliseconds, as exact as the page may know them.
            #[wasm_bindgen(js_namespace = performance)]
            fn now() -> f64;
        }
    };
}

/// An exported system that also tells its steps. The root calls [`import_clock`].
#[allow(clippy::crate_in_macro_def)] // The root of the module that calls it.
#[macro_export]
macro_rules! export_trace {
    ($name:ident) => {
        #[wasm_bindgen::prelude::wasm_bindgen]
        impl $name {
            /// Checks claims as `verify` does; JSON `{"verdicts":[…],"omitted":n,"steps":[…]}`.
            ///
            /// # Errors
            /// As `verify`.
            pub fn trace(
                &self,
                claims: &[u8],
                fresh: &[u8],
            ) -> Result<$crate::String, wasm_bindgen::JsValue> {
                let fresh = $crate::fresh_bytes(fresh)?;
                let mut sink = $crate::Sink::new(crate::now);
                let verdicts = self.0.verify(claims, fresh, &mut sink);
                Ok(sink.finish(&verdicts))
            }
        }
    };
}

/// Reads 32 fresh bytes.
///
/// # Errors
/// A rejection as JSON text if there are not 32 of them.
pub fn fresh_bytes(fresh: &[u8]) -> Result<[u8; 32], JsValue> {
    let wrong = InputError::Request("fresh is 32 bytes");
    fresh.try_into().map_err(|_| rejection(wrong))
}

/// What is thrown: a rejection as JSON text.
pub fn rejection(error: InputError) -> JsValue {
    let mut out = String::new();
    Rejection::from(error).to_json(&mut out);
    JsValue::from_str(&out)
}
