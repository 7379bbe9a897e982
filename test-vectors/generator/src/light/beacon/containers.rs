//! Bytes that are not the container they must be: cut off, too long, offsets out of place, of
//! another fork.

use super::committees::update;
use super::scene::{Scene, Update};
use super::ssz::offset;
use crate::light::case::Case;
use crate::light::follow::Scene as _;

const FLAG: &str = "BadSsz";
const SSZ: &str = "decode.ssz";

/// Places in Electra's finality update of 8 keys: two offsets, the branch, bits and signature, the
/// slot, two headers.
const FIRST: usize = 4 + 4 + 7 * 32 + 1 + 96 + 8;
/// Places in a header: the beacon header, the payload's offset, the branch, the payload.
const PAYLOAD_OFFSET: usize = 112;
const PAYLOAD: usize = PAYLOAD_OFFSET + 4 + 4 * 32;
/// Place of the extra data's offset in a payload, and the payload's fixed part.
const EXTRA_OFFSET: usize = 436;
const EXTRA: usize = 584;
/// A header with five bytes of extra data.
const HEADER: usize = PAYLOAD + EXTRA + 5;
const SECOND: usize = FIRST + HEADER;
const WHOLE: usize = SECOND + HEADER;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = cuts(scene);
    cases.extend(offsets(scene));
    cases.extend(longer(scene));
    cases.extend(shapes(scene));
    cases.extend(forms(scene));
    cases
}

fn refused(scene: &Scene, comment: &'static str, bytes: Vec<u8>, code: &'static str) -> Case {
    scene.at(FLAG, comment, 404).refuse("finality", bytes, code)
}

fn cuts(scene: &Scene) -> Vec<Case> {
    let whole = scene.update(440).ssz("finality");
    let places = [
        ("no bytes", 0),
        ("cut inside the first offset", 3),
        ("cut after the first offset", 4),
        ("cut after the offsets", 8),
        ("cut after the finality branch", 8 + 7 * 32),
        ("cut after the signature", FIRST - 8),
        ("cut inside the signature slot", FIRST - 1),
        ("cut after the fixed part", FIRST),
        ("cut before the attested payload's offset", FIRST + PAYLOAD_OFFSET),
        ("cut after the attested payload's offset", FIRST + PAYLOAD_OFFSET + 4),
        ("cut before the attested payload", FIRST + PAYLOAD),
        ("cut before the offset of the attested extra data", FIRST + PAYLOAD + EXTRA_OFFSET),
        ("cut before the attested extra data", FIRST + PAYLOAD + EXTRA),
        ("cut before the finalized header", SECOND),
        ("cut before the finalized payload's offset", SECOND + PAYLOAD_OFFSET),
        ("cut inside the finalized payload's offset", SECOND + PAYLOAD_OFFSET + 2),
        ("cut before the finalized payload", SECOND + PAYLOAD),
        ("cut inside the offset of the finalized extra data", SECOND + PAYLOAD + EXTRA_OFFSET + 2),
        ("cut inside the finalized payload", SECOND + PAYLOAD + EXTRA - 1),
    ];
    let mut cases: Vec<Case> = places
        .into_iter()
        .map(|(comment, at)| refused(scene, comment, whole[..at].to_vec(), SSZ))
        .collect();
    // Both are payloads, only not the one in the body.
    cases.extend([
        refused(
            scene,
            "cut before the finalized extra data",
            whole[..WHOLE - 5].to_vec(),
            "verify.execution",
        ),
        refused(
            scene,
            "cut inside the finalized extra data",
            whole[..WHOLE - 1].to_vec(),
            "verify.execution",
        ),
    ]);
    let before = |comment, slot: u64, keep: &dyn Fn(usize) -> usize| {
        let mut bytes = scene.bootstrap(slot).ssz();
        bytes.truncate(keep(bytes.len()));
        scene.before(FLAG, comment, slot).refuse("bootstrap", bytes, SSZ)
    };
    cases.extend([
        before("a bootstrap of no bytes", 404, &|_| 0),
        before("a bootstrap cut after its offset", 404, &|_| 4),
        before("a bootstrap cut after its committee", 404, &|_| 4 + 9 * 48),
        before("a bootstrap cut before its header", 404, &|_| 4 + 9 * 48 + 6 * 32),
        before("a bootstrap in Altair without its last byte", 20, &|length| length - 1),
        before("a bootstrap in Gloas without its last byte", 532, &|length| length - 1),
    ]);
    cases
}

/// Each offset stands where its field starts, nowhere else.
fn offsets(scene: &Scene) -> Vec<Case> {
    let whole = scene.update(440).ssz("finality");
    let with = |comment, at: usize, value: usize| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&offset(value));
        refused(scene, comment, bytes, SSZ)
    };
    let max = usize::try_from(u32::MAX).unwrap_or(usize::MAX);
    let (first_payload, first_extra) = (FIRST + PAYLOAD_OFFSET, FIRST + PAYLOAD + EXTRA_OFFSET);
    let (second_payload, second_extra) = (SECOND + PAYLOAD_OFFSET, SECOND + PAYLOAD + EXTRA_OFFSET);
    let mut swapped = whole.clone();
    swapped[..4].copy_from_slice(&offset(SECOND));
    swapped[4..8].copy_from_slice(&offset(FIRST));
    vec![
        with("the first offset is zero", 0, 0),
        with("the first offset leads into the fixed part", 0, FIRST - 1),
        with("the first offset leaves a byte out", 0, FIRST + 1),
        with("the first offset lies outside", 0, max),
        with("the second offset is zero", 4, 0),
        with("the second offset leads into the fixed part", 4, FIRST - 1),
        with("the second offset is the first: an empty header", 4, FIRST),
        with("the second header begins inside the first", 4, FIRST + 100),
        with("the second offset is the end", 4, WHOLE),
        with("the second offset lies past the end", 4, WHOLE + 1),
        with("the second offset lies outside", 4, max),
        refused(scene, "the offsets in the other order", swapped, SSZ),
        with("the attested payload begins inside the branch", first_payload, PAYLOAD - 1),
        with("the attested payload begins a byte late", first_payload, PAYLOAD + 1),
        with("the attested payload's offset is zero", first_payload, 0),
        with("the finalized payload's offset lies outside", second_payload, max),
        with("the attested extra data begins inside the payload", first_extra, EXTRA - 1),
        with("the attested extra data begins a byte late", first_extra, EXTRA + 1),
        with("the offset of extra data is Capella's", first_extra, EXTRA - 16),
        with("the finalized extra data's offset lies outside", second_extra, max),
    ]
}

fn longer(scene: &Scene) -> Vec<Case> {
    let with = |count| [scene.update(440).ssz("finality"), vec![0; count]].concat();
    let in_fork = |comment, start: u64, form: &'static str| {
        let bytes = [scene.update(start + 36).ssz(form), vec![0]].concat();
        scene.at(FLAG, comment, start).refuse(form, bytes, SSZ)
    };
    let before = |comment, slot| {
        let bytes = [scene.bootstrap(slot).ssz(), vec![0]].concat();
        scene.before(FLAG, comment, slot).refuse("bootstrap", bytes, SSZ)
    };
    let extra = |length: usize| move |it: &mut Update| it.attested.payload.extra = vec![1; length];
    let place = (FLAG, "33 bytes of extra data");
    let most = (FLAG, "32 bytes of extra data, not those of the body");
    vec![
        refused(scene, "a byte too many is one more of extra data", with(1), "verify.execution"),
        refused(scene, "more bytes than extra data may have", with(28), SSZ),
        in_fork("a byte too many in Altair", 20, "finality"),
        in_fork("a byte too many in Gloas", 532, "update"),
        in_fork("a byte too many in Gloas, of an optimistic update", 532, "optimistic"),
        before("a bootstrap with a byte too many in Altair", 20),
        before("a bootstrap with a byte too many in Gloas", 532),
        update(scene, "optimistic", place, &extra(33), SSZ),
        update(scene, "optimistic", most, &extra(32), "verify.execution"),
    ]
}

/// Honest containers, but with a slot of another shape's fork in the header.
fn shapes(scene: &Scene) -> Vec<Case> {
    let moved = |comment, slot: u64, form: &'static str, other: u64| {
        let mut update = scene.update(slot);
        update.attested.slot = other;
        scene.at("OtherShape", comment, 404).refuse(form, update.ssz(form), SSZ)
    };
    let begun = |comment, slot: u64, other: u64| {
        let mut bootstrap = scene.bootstrap(slot);
        bootstrap.header.slot = other;
        scene.before("OtherShape", comment, 404).refuse("bootstrap", bootstrap.ssz(), SSZ)
    };
    vec![
        moved("Altair's container, a slot of Electra", 56, "update", 440),
        moved("Capella's container, a slot of Deneb", 184, "optimistic", 312),
        moved("Deneb's container, a slot of Capella", 312, "optimistic", 184),
        moved("Deneb's container, a slot of Electra", 312, "finality", 440),
        moved("Electra's container, a slot of Deneb", 440, "update", 312),
        moved("Electra's container, a slot of Gloas", 440, "optimistic", 568),
        moved("Gloas' container, a slot of Electra", 568, "optimistic", 440),
        moved("Gloas' container, a slot of Altair", 568, "finality", 56),
        begun("a bootstrap in Deneb's container, a slot of Electra", 276, 404),
        begun("a bootstrap in Gloas' container, a slot of Electra", 532, 404),
    ]
}

/// One form in place of another.
fn forms(scene: &Scene) -> Vec<Case> {
    let honest = scene.update(440);
    let at = |comment, form, bytes: Vec<u8>| {
        scene.at("OtherForm", comment, 404).refuse(form, bytes, SSZ)
    };
    let altair =
        |comment, form, bytes: Vec<u8>| scene.at("OtherForm", comment, 20).refuse(form, bytes, SSZ);
    let before = |comment, form: &str| {
        let bytes = honest.ssz(form);
        scene.before("OtherForm", comment, 404).refuse("bootstrap", bytes, SSZ)
    };
    let early = |comment, form: &'static str| {
        let bytes = honest.ssz(form);
        scene.before("NoCheckpoint", comment, 404).refuse(form, bytes, "input.request")
    };
    vec![
        at("a finality as an update", "update", honest.ssz("finality")),
        at("an update as a finality", "finality", honest.ssz("update")),
        at("an optimistic update as a finality", "finality", honest.ssz("optimistic")),
        at("a finality as an optimistic update", "optimistic", honest.ssz("finality")),
        at("a bootstrap as an update", "update", scene.bootstrap(404).ssz()),
        at("a header alone", "optimistic", honest.attested.ssz()),
        altair("a finality as an update, in Altair", "update", scene.update(56).ssz("finality")),
        before("an update as a bootstrap", "update"),
        before("a header's update as a bootstrap", "optimistic"),
        early("an update before the bootstrap", "update"),
        early("an optimistic update before the bootstrap", "optimistic"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_are_those_of_the_bytes() {
        let whole = Scene::new(8).update(440).ssz("finality");
        assert_eq!(whole.len(), WHOLE);
        let word = |at: usize| whole[at..at + 4].to_vec();
        assert_eq!((word(0), word(4)), (offset(FIRST).to_vec(), offset(SECOND).to_vec()));
        for header in [FIRST, SECOND] {
            assert_eq!(word(header + PAYLOAD_OFFSET), offset(PAYLOAD));
            assert_eq!(word(header + PAYLOAD + EXTRA_OFFSET), offset(EXTRA));
        }
    }
}
