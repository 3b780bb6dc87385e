import sys

sys.path.insert(0, "src")
from itsdangerous import BadSignature, Signer, TimestampSigner
from itsdangerous.url_safe import URLSafeSerializer, URLSafeTimedSerializer


def opens(key, token, kind=Signer):
    try:
        kind(key).unsign(token)
        return True
    except BadSignature:
        return False


for kind in (Signer, TimestampSigner):
    signer = kind("one")
    old = signer.sign("value")
    signer.rotate_key("two")
    new = signer.sign("value")
    assert opens("two", new, kind), "the new key signs"
    assert not opens("one", new, kind)
    assert signer.unsign(old) == b"value", "an old token holds"
    for key in ("three", "four"):
        signer.rotate_key(key)
    assert not signer.validate(old), "of four keys the oldest is dropped"
    assert signer.validate(new)
    assert signer.secret_key == b"four"
    signer.rotate_key(b"five", keep=1)
    assert not signer.validate(new)
    assert opens(b"five", signer.sign("x"), kind)

given = ["a", "b", "c"]
signer = Signer(given)
signer.rotate_key("d")
assert given == ["a", "b", "c"], "the caller's list is its own"
assert opens("d", signer.sign("x")) and not signer.validate(Signer("a").sign("x"))

for keep in (0, -1):
    try:
        signer.rotate_key("e", keep=keep)
    except ValueError:
        pass
    else:
        raise AssertionError("keep must be at least 1")
assert signer.validate(Signer("b").sign("x")) and opens("d", signer.sign("x")), "nothing was done"

for kind in (URLSafeSerializer, URLSafeTimedSerializer):
    serializer = kind("one", salt="s")
    old = serializer.dumps({"id": 42})
    serializer.rotate_key("two", keep=2)
    new = serializer.dumps({"id": 43})
    assert kind("two", salt="s").loads(new) == {"id": 43}
    try:
        kind("one", salt="s").loads(new)
    except BadSignature:
        pass
    else:
        raise AssertionError("the old key signs no longer")
    assert serializer.loads(old) == {"id": 42}
    serializer.rotate_key("three", keep=2)
    assert serializer.loads(new) == {"id": 43}
    try:
        serializer.loads(old)
    except BadSignature:
        pass
    else:
        raise AssertionError("the oldest key is dropped")
