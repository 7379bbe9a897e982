//! Overrides as a request has them: see [`super`].

use lightproof_core::DecodeError;
use lightproof_core::error::Malformed;
use lightproof_core::wire::Reader;
use revm::primitives::{Address, B256, Bytes, U256};

use crate::overrides::{BlockOverride, Override, Overrides};

/// Reads both.
pub(super) fn read(request: &mut Reader<'_>) -> Result<(Overrides, BlockOverride), DecodeError> {
    let mut overrides = request.list("overrides")?;
    let mut list = overrides.list("state overrides")?;
    let mut state = Overrides::default();
    while !list.is_empty() {
        let span = list.span();
        let mut items = list.list("state override")?;
        let address = Address::new(items.array("address")?);
        if state.0.insert(address, account(&mut items)?).is_some() {
            return Err(Malformed::Shape.at("address", "overridden twice", span));
        }
        items.finish("state override")?;
    }
    let mut items = overrides.list("block override")?;
    let block = block(&mut items)?;
    items.finish("block override")?;
    overrides.finish("overrides")?;
    Ok((state, block))
}

fn account(items: &mut Reader<'_>) -> Result<Override, DecodeError> {
    let mut account = Override {
        balance: option(items, uint256)?,
        nonce: integer(items)?,
        ..Override::default()
    };
    let code = option(items, |item| item.string("code"))?;
    if let Some(code) = code {
        account.set_code(Bytes::copy_from_slice(code.bytes));
    }
    let mut storage = items.list("storage")?;
    if !storage.is_empty() {
        account.wiped = true;
        slots(&mut storage, &mut account)?;
    }
    storage.finish("storage")?;
    slots(items, &mut account)?;
    Ok(account)
}

fn slots(items: &mut Reader<'_>, account: &mut Override) -> Result<(), DecodeError> {
    let mut list = items.list("slots")?;
    while !list.is_empty() {
        let mut slot = list.list("slot")?;
        let key = B256::new(slot.array("key")?);
        account.slots.insert(key, uint256(&mut slot)?);
        slot.finish("slot")?;
    }
    Ok(())
}

fn block(items: &mut Reader<'_>) -> Result<BlockOverride, DecodeError> {
    let (number, time, gas_limit) = (integer(items)?, integer(items)?, integer(items)?);
    let coinbase = option(items, |item| item.array("coinbase"))?.map(Address::new);
    let prev_randao = option(items, |item| item.array("prevRandao"))?.map(B256::new);
    let (base_fee, blob_base_fee) = (integer(items)?, integer(items)?);
    Ok(BlockOverride { number, time, gas_limit, coinbase, prev_randao, base_fee, blob_base_fee })
}

#[inline(never)]
fn integer(items: &mut Reader<'_>) -> Result<Option<u64>, DecodeError> {
    option(items, |item| item.u64("override"))
}

/// What a list of one item or none holds.
fn option<'a, T>(
    items: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Option<T>, DecodeError> {
    let mut list = items.list("option")?;
    let value = if list.is_empty() { None } else { Some(read(&mut list)?) };
    list.finish("option")?;
    Ok(value)
}

fn uint256(item: &mut Reader<'_>) -> Result<U256, DecodeError> {
    item.uint256("value").map(|value| U256::from_be_bytes(value.0))
}
