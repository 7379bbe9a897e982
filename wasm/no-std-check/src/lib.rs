//! Uses `lightproof-core` and `lightproof-evm` with a panic handler and an allocator of its own. If
//! any dependency brings std along, there are two panic handlers and the compiler refuses them.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};

struct NoMemory;

// SAFETY: it never hands out memory; a null pointer is the documented answer for "none".
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }
    unsafe fn dealloc(&self, _pointer: *mut u8, _layout: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Reaches the whole verifier, so that nothing is left out of the link.
#[unsafe(no_mangle)]
pub extern "C" fn reach(bytes: *const u8, length: usize) -> usize {
    // SAFETY: never called; the signature only keeps the optimiser from folding the call away.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    reach_system::<lightproof_core::system::cole::Cole>(bytes)
        + reach_system::<lightproof_core::system::mpt::Mpt>(bytes)
}

fn reach_system<S: lightproof_core::System>(bytes: &[u8]) -> usize {
    lightproof_core::Verifier::<S>::new(bytes, bytes, bytes)
        .map_or(0, |verifier| verifier.verify(bytes, [0; 32], &mut ()).len())
}

/// Reaches the machine that runs calls.
#[unsafe(no_mangle)]
pub extern "C" fn reach_calls(bytes: *const u8, length: usize) -> usize {
    // SAFETY: as above.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    lightproof_evm::interface::run(bytes, bytes, bytes, &()).len()
}

/// Reaches the light client, and with it the curve.
#[cfg(feature = "bls12-381")]
#[unsafe(no_mangle)]
pub extern "C" fn reach_light(bytes: *const u8, length: usize) -> usize {
    use lightproof_core::header::light::{Form, LightClient};
    // SAFETY: as above.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    let Ok(mut client) = LightClient::new(bytes) else { return 0 };
    let reached = [
        client.bootstrap(bytes, bytes, &mut ()).is_ok(),
        client.apply(Form::Update, bytes, 0, &mut ()).is_ok(),
        client.import(bytes, bytes, &mut ()).is_ok(),
        client.attested(bytes, bytes, 0).is_ok(),
        client.load_points(bytes).is_ok(),
    ];
    client.export().len() + client.points().len() + reached.len()
}
