// Claims in German, French and Spanish against facts that speak against each of them, and sentences that claim nothing.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ChangeFact,
  checkFactOf,
  findClaims,
  judgeClaims,
  type ReferenceFact,
} from "../../../src/evidence/claims.ts";

type State = Parameters<typeof checkFactOf>[0]["state"];

const check = (name: string, state: State) =>
  checkFactOf({
    ...{ id: name, name, state, kind: name.includes("tests") ? "tests" : "static" },
    findings: state === "new-findings" ? [{ text: "one" }] : [],
  });
const change: ChangeFact = {
  ...{ path: "src/a.ts", kind: "update", added: 4, removed: 1, flags: [["public-api", "dependency"]] },
};
const parse: ReferenceFact = { name: "parse", elsewhere: 2, onChangedLines: 0, inUntouchedFiles: 2 };
const verdicts = (text: string, state: State): string[] =>
  judgeClaims(findClaims(text), {
    checks: ["tests", "types", "lint", "build"].map((name) => check(name, state)),
    changes: [change, { ...change, path: "src/b.ts" }],
    references: [parse],
  }).map(({ verdict }) => verdict);

/** Of this state, though as a hope. */
const hedged = [
  "Nun sollten alle Tests durchlaufen.",
  "Die Tests sollten jetzt alle durchlaufen.",
  "Les tests devraient maintenant tous passer.",
  "Ahora deberían pasar todas las pruebas.",
];

const claimed = [
  "Alle Tests bestehen.",
  "Alle Tests laufen erfolgreich durch.",
  "Die gesamte Testsuite ist grün.",
  "Alle 42 Tests sind grün.",
  "Jetzt bestehen alle Tests.",
  "Alle bestehenden Tests laufen weiterhin durch.",
  "Ich habe die Tests ausgeführt, alle bestehen.",
  "Die Typprüfung läuft fehlerfrei durch.",
  "Der Linter meldet keine Fehler.",
  "Der Build ist erfolgreich.",
  "Alle Tests bestehen und der Build ist grün.",
  "`npm test` läuft durch.",
  "Es gibt keine weiteren Aufrufer von `parse`.",
  "Ich habe nur die Formatierung geändert.",
  "Die öffentliche API bleibt unverändert.",
  "Nur `src/a.ts` wurde geändert.",
  "Es wurden keine neuen Abhängigkeiten hinzugefügt.",
  "Außerdem habe ich einen Test hinzugefügt.",
  "Ich habe einen Regressionstest hinzugefügt.",
  "Tous les tests passent.",
  "Tous les tests passent maintenant.",
  "La suite de tests est au vert.",
  "Les 12 tests passent tous.",
  "J'ai lancé les tests, ils passent tous.",
  "La vérification des types passe.",
  "Aucune erreur de lint.",
  "Le build passe.",
  "Le projet compile sans erreur.",
  "Aucun test n'échoue.",
  "Aucun autre appelant de `parse`.",
  "Il s'agit uniquement de mise en forme.",
  "L'API publique reste inchangée.",
  "Je n'ai modifié que `src/a.ts`.",
  "Aucune nouvelle dépendance.",
  "J'ai ajouté un test de régression.",
  "Todas las pruebas pasan.",
  "Todos los tests pasan.",
  "Todos los tests pasan correctamente.",
  "La suite de pruebas está en verde.",
  "Ejecuté las pruebas, todas pasan.",
  "La comprobación de tipos pasa.",
  "El linter no reporta errores.",
  "El build funciona correctamente.",
  "El proyecto compila sin errores.",
  "Ninguna prueba falla.",
  "No hay otros usos de `parse`.",
  "Solo cambios de formato.",
  "La API pública no cambia.",
  "Solo modifiqué `src/a.ts`.",
  "Sin nuevas dependencias.",
  "Agregué pruebas unitarias para esto.",
  "Todas las verificaciones pasan.",
  "Todo compila.",
  "Ya no falla ninguna prueba.",
  "✅ Alle Tests bestanden",
  "- Tests: alle bestanden",
  "Die Tests laufen jetzt alle durch.",
  "Sämtliche Tests wurden erfolgreich ausgeführt.",
  "Les tests sont tous passés.",
  "Les tests passent.",
  "Los tests pasan todos.",
  "Las pruebas se ejecutaron correctamente.",
  "El código compila y todos los tests pasan.",
  "Le code compile et tous les tests passent.",
  "Der Code kompiliert ohne Fehler und alle Tests laufen durch.",
  "Todas las pruebas pasaron con éxito.",
  "Todas las pruebas existentes siguen pasando.",
  "Tous les tests existants continuent de passer.",
  "Alle existierenden Tests laufen weiterhin.",
  "No se han añadido nuevas dependencias.",
  "No se agregaron dependencias nuevas.",
  "Keine neuen Abhängigkeiten.",
  "Die Prüfungen sind bestanden.",
  "Alle Tests sind erfolgreich durchgelaufen.",
  "Ich habe die gesamte Testsuite ausgeführt, keine Fehler.",
  "La suite de tests s'exécute sans erreur.",
  "Je n'ai touché qu'à `src/a.ts`.",
  "Les vérifications réussissent.",
  "Ejecuté la suite completa y no hubo fallos.",
  "Añadí una prueba nueva.",
  "No modifiqué más que `src/a.ts`.",
  ...hedged,
];

const unclaimed = [
  "Alle Tests sollten bestehen.",
  "Wenn du installierst, bestehen alle Tests.",
  "Bitte prüfe, ob alle Tests bestehen.",
  "Fast alle Tests bestehen.",
  "Alle Tests bestehen außer einem.",
  "Vorher liefen alle Tests durch.",
  "Tous les tests devraient passer.",
  "Si vous installez, tous les tests passent.",
  "Presque tous les tests passent.",
  "Tous les tests passent sauf un.",
  "Todos los tests deberían pasar.",
  "Casi todos los tests pasan.",
  "Todas las pruebas pasan excepto una.",
  "Antes todas las pruebas pasaban.",
  "Verifica que todas las pruebas pasan.",
  "Je pense que tous les tests passent.",
  "Ich konnte die Tests nicht ausführen.",
  "Je n'ai pas exécuté les tests.",
  "No ejecuté las pruebas.",
  "Alle Tests bestehen nicht.",
  "Nicht alle Tests bestehen.",
  "Pas tous les tests passent.",
  "No todos los tests pasan.",
  "Die Funktion meldet keine Fehler an den Aufrufer.",
  "Ziel: alle Tests bestehen.",
  "Les tests passent un objet à la fonction.",
  "Los tests pasan un objeto a la función.",
  "Alle Tests bestehen, 2 schlagen fehl.",
  "Tous les tests passent, 2 échouent.",
  "Die Tests laufen.",
  "Die Tests laufen nicht durch.",
  "Der Build läuft nicht.",
  "Der Build läuft.",
  "Los tests se ejecutan.",
  "Le build ne passe pas.",
  "El build no pasa.",
  "Les tests ne passent pas.",
  "Los tests no pasan.",
  "La compilation se termine.",
  "Der Linter meldet nicht alle Fehler.",
  "El linter no pasa.",
  "Sin ejecutar, todos los tests pasan.",
  "Ich habe nur die Formatierung der Datumswerte geändert.",
  "TODO: alle Tests bestehen.",
  "Dann bestehen alle Tests.",
  "Der Nutzer sagt, alle Tests bestehen.",
  "Selon vous, tous les tests passent.",
  "Alle Tests bestehen, sobald der Server läuft.",
  "Bestehen alle Tests?",
];

describe("judgeClaims in German, French and Spanish", () => {
  test("contradicts each sentence that facts speak against", () => {
    assert.deepEqual(
      claimed.filter((text) => !verdicts(text, "new-findings").includes("contradicted")),
      [],
    );
  });

  test("finds no claim in a doubt, a wish, a condition, a part or a negation", () => {
    for (const state of ["new-findings", "passed"] as const)
      assert.deepEqual(
        unclaimed.filter((text) => verdicts(text, state).some((verdict) => verdict !== "not-checked")),
        [],
      );
  });

  test("never proves what only should be so now", () => {
    for (const text of hedged) assert.deepEqual(verdicts(text, "passed"), ["not-checked"], text);
  });

  test("proves what every check has shown, and no number", () => {
    for (const text of ["Alle Tests bestehen.", "Tous les tests passent.", "Todas las pruebas pasan."])
      assert.deepEqual(verdicts(text, "passed"), ["proven"], text);
    for (const text of ["Alle 42 Tests sind grün.", "Les 12 tests passent tous."])
      assert.deepEqual(verdicts(text, "passed"), ["not-checked"], text);
  });
});
