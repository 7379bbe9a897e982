//! Tests of the follower in one program: each program more links everything again.

mod beacon;
mod beside_geth;
mod block;
mod calls;
mod execute;
mod follow;
mod forged;
mod genesis;
mod geth;
mod record;
mod served;
mod snapshot;
mod source;
mod support;
