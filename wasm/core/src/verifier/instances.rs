//! Instances of the verifier that are compiled here, with this crate's settings, which are for
//! size, and not with those of the module that uses them. For systems whose time goes into hashing:
//! what is not generic is fast all the same.
//!
//! rustc takes an instance of a crate below where there is one, so nobody needs to call these.

use alloc::string::String;

use super::Verifier;
use crate::body::Body;
use crate::error::InputError;
use crate::system::cole::Cole;
use crate::system::mpt::Mpt;

macro_rules! instance {
    ($system:ident, $new:ident, $verify:ident) => {
        /// [`Verifier::new`] of the system.
        ///
        /// # Errors
        /// As there.
        pub fn $new(
            chain: &[u8],
            config: &[u8],
            params: &[u8],
        ) -> Result<Verifier<$system>, InputError> {
            Verifier::new(chain, config, params)
        }

        /// [`Verifier::verify`] of the system, unobserved.
        pub fn $verify(verifier: &Verifier<$system>, claims: &[u8], fresh: [u8; 32]) -> String {
            verifier.verify(claims, fresh, &mut ())
        }
    };
}

instance!(Body, new_body, verify_body);
instance!(Cole, new_cole, verify_cole);
instance!(Mpt, new_mpt, verify_mpt);
