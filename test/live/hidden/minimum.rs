// Built with --test against the crate.
use semver::{Version, VersionReq};

fn minimum(req: &str) -> Option<String> {
    let req = VersionReq::parse(req).unwrap();
    let found = req.minimum();
    if let Some(version) = &found {
        assert!(req.matches(version), "{req} does not match {version}");
    }
    found.map(|version: Version| version.to_string())
}

fn is(req: &str, version: &str) {
    assert_eq!(minimum(req).as_deref(), Some(version), "{req}");
}

fn none(req: &str) {
    assert_eq!(minimum(req), None, "{req}");
}

#[test]
fn of_one_comparator() {
    is("*", "0.0.0");
    is("1.2.3", "1.2.3");
    is("^1.2", "1.2.0");
    is("~1", "1.0.0");
    is("=1.2", "1.2.0");
    is("1.*", "1.0.0");
    is("1.2.*", "1.2.0");
    is(">=1.2.3", "1.2.3");
    is("<1.2.3", "0.0.0");
    is("<=1", "0.0.0");
}

#[test]
fn above() {
    is(">1.2.3", "1.2.4");
    is(">1.2", "1.3.0");
    is(">1", "2.0.0");
}

#[test]
fn of_pre_releases() {
    is("^1.2.3-beta.2", "1.2.3-beta.2");
    is(">=1.2.3-alpha", "1.2.3-alpha");
    is("=1.2.3-rc.1", "1.2.3-rc.1");
    is(">1.2.3-alpha", "1.2.3-alpha.0");
    is("<1.0.0-beta", "0.0.0");
    is(">=1.0.0-beta, >=0.9", "1.0.0-beta");
}

#[test]
fn of_several() {
    is(">=1.2.3, <1.8.0", "1.2.3");
    is("<2, >1.4", "1.5.0");
    is(">=1.0.0, >=1.5, <3", "1.5.0");
    is("^1, >1.2.3", "1.2.4");
    is(">1.2.3, >1.2", "1.3.0");
}

#[test]
fn where_nothing_matches() {
    none("<0.0.0");
    none(">=2, <1");
    none("=1.2.3, =1.2.4");
    none(">1.2.3, <1.2.4");
    none("^1, ^2");
}

#[test]
fn at_the_end_of_numbers() {
    none(">18446744073709551615");
    none(">1.18446744073709551615, <2");
    is(">1.18446744073709551615.18446744073709551615", "2.0.0");
    is(">1.2.18446744073709551615", "1.3.0");
    is(">1.18446744073709551615", "2.0.0");
    none(">18446744073709551615.18446744073709551615.18446744073709551615");
}
