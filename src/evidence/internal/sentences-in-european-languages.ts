// The sentences of claims in German, French and Spanish: one table for each language. Every clause is short, so that each
// pattern takes bounded time.
import type { ClaimKind } from "../claims.ts";
import { code } from "./own-words.ts";

export interface Language {
  /** "Should now", of this state; what is left without it says so as a fact. */
  readonly hedges: readonly (readonly [RegExp, string])[];
  /** A sentence with one of these is a doubt, a wish, a condition, about another time or about less. */
  readonly guard: RegExp;
  /** Between two sentences. */
  readonly and: RegExp;
  /** Words that say no less, each with a blank behind it. */
  readonly filling: string;
  /** Words before "tests" that mean all of them. */
  readonly all: string;
  readonly tests: string;
  readonly passes: string;
  /** "I ran the tests", and "they all pass" behind it. */
  readonly ran: RegExp;
  readonly everything: RegExp;
  readonly types: string;
  readonly lint: string;
  readonly build: string;
  readonly checks: string;
  readonly clean: string;
  readonly compiles: string;
  readonly others: readonly (readonly [ClaimKind, RegExp])[];
}

const ofWords = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, "u");
const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`, "u");
const named = `(?:${code}|[\\w@./-]{1,80})`;
const tools = "tsc|mypy|pyright|typescript";
const linters = "eslint|biome|ruff|clippy|flake8|rubocop|phpstan|golangci-lint";

const german: Language = {
  hedges: [
    [
      /^((?:nun|jetzt|damit|somit) )sollten? ((?:(?:auch|wieder) )?(?:alle|die|sämtliche|unsere) \S{1,40} (?:(?:wieder|alle|erfolgreich) )?)(?:durchlaufen|bestehen|grün sein|erfolgreich sein)$/u,
      "$1bestehen $2",
    ],
    [
      /^((?:alle |die |sämtliche )?\S{1,40} )sollten? ((?:(?:alle|wieder) )?(?:nun|jetzt|damit) (?:(?:alle|wieder) )?)(?:durchlaufen|bestehen|grün sein|erfolgreich sein)$/u,
      "$1$2bestehen",
    ],
  ],
  guard: ofWords(
    "soll\\p{L}{0,5}|müss\\p{L}{0,4}|muss|dürft\\p{L}{0,3}|könn\\p{L}{0,5}|kann|würd\\p{L}{0,3}|werden|wird(?! (?:sonst|nirgend))|vermutlich|wahrscheinlich|hoffentlich|möglicherweise|vielleicht|eventuell|wohl|eigentlich|theoretisch|wenn|falls|sobald|sofern|solange|ob|bevor|vorher|zuvor|früher|bisher|ursprünglich|außer|ausgenommen|bis auf|abgesehen|bitte|stell\\p{L}{0,3}|sicher|prüf\\p{L}{0,4}|überprüf\\p{L}{0,4}|erwart\\p{L}{0,4}|hoff\\p{L}{0,3}|glaub\\p{L}{0,3}|denk\\p{L}{0,3}|annahme|angeblich|laut|sag\\p{L}{0,3}|behaupt\\p{L}{0,4}|schreib\\p{L}{0,3}|fast|meist\\p{L}{0,4}|einige\\p{L}?|manche|teilweise|fehlschl\\p{L}{1,8}|fehlgeschl\\p{L}{1,8}|scheiter\\p{L}{0,4}|schlagen|schlägt|übersprungen|noch nicht|nicht ausgeführt|nicht laufen|ohne (?:die|diese) änderung|ohne (?:sie|es|die tests) .{0,20}(?:auszuführen|laufen)|ziel|dann|damit sie",
  ),
  and: /\s(?:und|sowie|aber|doch)\s/,
  filling:
    "jetzt|nun|damit|somit|weiterhin|wieder|immer noch|nach wie vor|auch|lokal|erfolgreich|vollständig|fehlerfrei|problemlos|ohne fehler|ohne probleme|nach der änderung|nach dieser änderung|mit dieser änderung|ergebnis:?|alle|inzwischen|bereits|so|durch",
  all: "alle|sämtliche|alle meine|die|unsere|alle bestehenden|alle vorhandenen|die bestehenden|die vorhandenen|alle existierenden",
  tests:
    "(?:unit-?|integrations-?)?(?:tests|testfälle)|(?:gesamte |ganze |komplette |vollständige )?test-?suite",
  passes:
    "bestehen|besteht|bestanden|haben bestanden|wurden bestanden|sind bestanden|sind (?:alle |wieder |jetzt |nun )?(?:grün|erfolgreich)|sind (?:(?:alle|wieder|jetzt|nun|erfolgreich|fehlerfrei|ohne fehler) ){0,3}durchgelaufen|ist (?:(?:wieder|jetzt|nun|erfolgreich|fehlerfrei|ohne fehler) ){0,3}durchgelaufen|liefen (?:(?:alle|erfolgreich|fehlerfrei|ohne fehler|sauber) ){0,3}durch|sind (?:alle )?in ordnung|(?:laufen|läuft|liefen|lief) (?:alle )?ohne (?:fehler|fehlschläge|fehlschlag|probleme)|haben keine fehler|ist (?:wieder |jetzt )?(?:grün|erfolgreich)|wurden (?:alle )?erfolgreich (?:ausgeführt|abgeschlossen)|(?:laufen|läuft) (?:(?:alle|wieder|jetzt|nun|weiterhin|erfolgreich|fehlerfrei|problemlos|sauber|auch|komplett|vollständig|ohne fehler) ){0,3}(?:durch|grün|erfolgreich|fehlerfrei|problemlos|weiterhin)|gehen (?:alle )?durch|waren erfolgreich|passen|grün",
  ran: /^(?:ich habe |habe )?(?:die |alle |sämtliche )?(?:(?:gesamte|ganze|komplette|vollständige) )?(?:tests|testsuite|test-suite) (?:ausgeführt|laufen lassen|gestartet)$|^tests$/u,
  everything:
    /^(?:sie |es )?(?:bestehen |sind |laufen )?(?:alle|alles) (?:bestanden|bestehen|grün|erfolgreich|durch|in ordnung)$|^(?:sie )?bestehen alle$|^(?:(?:ohne|keine|es gab keine|es gibt keine) (?:fehler|fehlschläge)|ohne einen fehler|nichts schlug fehl)$/u,
  types: `(?:die )?typ-?prüfung|(?:der )?typ-?check|(?:der )?type-?check|(?:die )?typen|${tools}`,
  lint: `(?:der )?linter|(?:das )?linting|(?:der )?lint|${linters}`,
  build: "(?:der )?build|(?:das )?projekt|(?:die )?kompilierung",
  checks: "(?:alle|sämtliche|die) (?:prüfungen|checks)|alles",
  clean:
    "besteht|bestehen|bestanden|sind bestanden|sind grün|sind erfolgreich|laufen (?:alle |fehlerfrei |erfolgreich )?durch|ist sauber|sind sauber|ist grün|ist erfolgreich|ist fehlerfrei|sind fehlerfrei|ist in ordnung|stimmen|passen|läuft (?:(?:wieder|jetzt|nun|weiterhin|erfolgreich|fehlerfrei|sauber|auch|ohne fehler) ){0,3}(?:durch|grün|erfolgreich|fehlerfrei|sauber|ohne fehler)|funktioniert|meldet (?:nichts|keine (?:fehler|probleme|warnungen))|findet keine (?:fehler|probleme)|zeigt keine fehler|gelingt|sauber|grün|keine fehler|war erfolgreich",
  compiles: "(?:der code|das projekt|alles|es|typescript) kompiliert",
  others: [
    ["types-check", whole("(?:es gibt )?keine (?:typ-?fehler|type-?fehler|typescript-fehler)(?: mehr)?")],
    [
      "lint-clean",
      whole("(?:es gibt )?keine (?:lint|linter|linting|eslint)-?(?:fehler|probleme|warnungen)(?: mehr)?"),
    ],
    [
      "tests-pass",
      whole(
        "(?:es )?schlägt kein(?: einziger)? test (?:mehr )?fehl|kein(?: einziger)? test schlägt (?:mehr )?fehl|es gibt keine fehlschlagenden tests(?: mehr)?",
      ),
    ],
    [
      "no-other-callers",
      whole(
        `(?:es gibt |hat |sonst gibt es )?keine (?:weiteren|anderen|sonstigen) (?:aufrufer|aufrufstellen|aufrufe|verwendungen|stellen|nutzer)(?: (?:von|für) ${named}| mehr)?|${named} wird (?:sonst )?(?:nirgends|nirgendwo)(?: sonst| anders)? (?:verwendet|aufgerufen|benutzt|genutzt)`,
      ),
    ],
    [
      "callers-updated",
      whole(
        `(?:ich habe )?alle (?:aufrufer|aufrufstellen|aufrufe|verwendungen)(?: von ${named})?(?: wurden| sind| habe ich)? (?:entsprechend )?(?:angepasst|aktualisiert|geändert|umbenannt)`,
      ),
    ],
    [
      "formatting-only",
      whole(
        "(?:ich habe )?(?:nur|lediglich|ausschließlich) (?:die |an der )?(?:formatierung|einrückung|leerzeichen)(?: (?:geändert|angepasst|wurde (?:geändert|angepasst)))?|(?:das|dies|es|die änderung) (?:ist|sind) (?:nur |lediglich )?(?:eine )?(?:reine? )?(?:formatierung|formatierungsänderung|formatierungsänderungen)|(?:nur|reine) formatierungsänderung(?:en)?|es ändert sich nur die formatierung|rein formale änderung(?:en)?",
      ),
    ],
    [
      "no-behaviour-change",
      whole(
        "(?:das |am )?verhalten (?:bleibt|ist|bleibt dabei) (?:unverändert|gleich|identisch)|am verhalten ändert sich nichts|keine (?:verhaltensänderung(?:en)?|funktionalen änderungen)|(?:das )?verhalten ändert sich nicht|ohne das verhalten zu (?:ändern|verändern)",
      ),
    ],
    [
      "api-unchanged",
      whole(
        "(?:die |an der )?(?:öffentliche |öffentlichen )?(?:api|schnittstelle|signatur|signaturen|schnittstellen) (?:bleibt|ist|bleiben|sind|wurde|wurden) (?:unverändert|gleich|nicht (?:geändert|verändert|angefasst))|(?:es gibt )?keine (?:api-änderungen|änderungen an der (?:öffentlichen )?(?:api|schnittstelle))|an der (?:öffentlichen )?(?:api|schnittstelle) (?:ändert sich|hat sich) nichts(?: geändert)?|die (?:öffentliche )?(?:api|schnittstelle) (?:ändert sich|hat sich) nicht(?: geändert)?",
      ),
    ],
    [
      "only-files",
      whole(
        `(?:ich habe )?(?:nur|lediglich|ausschließlich) (?:die datei )?${named}(?: wurde| habe ich)? (?:geändert|angepasst|angefasst|bearbeitet)|(?:ich habe )?nichts als ${named} (?:geändert|angefasst|angepasst)|(?:die )?änderung(?:en)? (?:beschränkt|beschränken) sich auf ${named}|(?:es wurden )?keine (?:anderen|weiteren) dateien(?: wurden)? (?:geändert|angefasst|berührt|angepasst)`,
      ),
    ],
    [
      "no-new-dependencies",
      whole(
        "(?:es gibt |es wurden |ich habe |es kommen )?keine (?:neuen|zusätzlichen|weiteren) (?:abhängigkeiten|pakete|dependencies|bibliotheken)(?: (?:hinzugefügt|eingeführt|nötig|erforderlich|hinzu|installiert|wurden hinzugefügt))?|ohne (?:neue|zusätzliche) (?:abhängigkeiten|pakete)",
      ),
    ],
    [
      "tests-untouched",
      whole(
        "(?:die )?(?:bestehenden |vorhandenen )?tests (?:bleiben|wurden|sind|habe ich|blieben) (?:unverändert|unangetastet|nicht (?:angefasst|geändert|verändert|angerührt))|(?:ich habe |es wurden )?keine tests (?:wurden )?(?:geändert|angefasst|verändert)",
      ),
    ],
    [
      "tests-added",
      whole(
        "(?:ich habe |außerdem |zusätzlich |dazu |auch |habe ich )*(?:(?:einen|neue|neuen|zwei|drei|mehrere|passende|weitere|auch|\\d+) ){0,3}(?:unit-?|regressions-?|integrations-?)?tests?(?: (?:dafür|dazu|für .{1,80}))? (?:hinzugefügt|ergänzt|geschrieben|angelegt)",
      ),
    ],
  ],
};

const french: Language = {
  hedges: [
    [
      /^((?:tous les|les) tests )devraient ((?:tous )?(?:maintenant|désormais|à présent) (?:tous )?|tous (?:maintenant|désormais) )(?:passer|réussir|être au vert)$/u,
      "$1$2passent",
    ],
    [
      /^((?:tous les|les) tests )devraient ((?:tous )?)passer (maintenant|désormais|à présent)$/u,
      "$1$2passent $3",
    ],
  ],
  guard: ofWords(
    "si|s'il|s'ils|lorsque|quand|une fois|dès que|devr\\p{L}{1,6}|pourr\\p{L}{1,6}|peut|peuvent|doit|doivent|probablement|peut-être|normalement|théoriquement|sans doute|espér\\p{L}{1,5}|espoir|pense|crois|suppose|semble\\p{L}{0,3}|avant|auparavant|précédemment|initialement|sauf|hormis|excepté|exception|à part|presque|plupart|certains|quelques|vérifi(?:ez|er|e)|assur\\p{L}{1,4}|afin|pour que|selon|d'après|dit|disent|affirme\\p{L}{0,3}|indique|ser(?:a|ont)|passer(?:a|ont)|fer(?:a|ont)|(?<!n')échou\\p{L}{1,5}|échec\\p{L}?|ignor\\p{L}{1,4}|pas encore|pas exécut\\p{L}{1,4}|pas pu|objectif|alors|veuillez|sans cette modification|sans (?:avoir|les|exécuter|lancer)|sans ce changement",
  ),
  and: /\s(?:et|mais|puis)\s/,
  filling:
    "maintenant|désormais|à présent|toujours|encore|aussi|également|localement|avec succès|correctement|sans erreur|sans erreurs|sans problème|à nouveau|de nouveau|après la modification|après ce changement|avec ce changement|tous|bien|ainsi|donc|résultat :?|déjà",
  all: "tous les|les|l'ensemble des|tous mes|tous nos|la|toute la",
  tests:
    "tests(?: unitaires| d'intégration)?(?: existants| actuels)?|(?:\\d+ )tests(?: unitaires)?|suite(?: complète)?(?: de tests?)|suite de tests complète",
  passes:
    "passent|passe|réussissent|réussit|sont (?:tous )?(?:au vert|verts|passés|réussis)|est (?:au vert|verte?|passée)|ont (?:tous )?(?:réussi|été passés|passé)|est réussie|fonctionnent|(?:continuent|continue) (?:de|à) passer|sont tous passés|s'exécute(?:nt)? (?:avec succès|correctement|sans (?:aucune )?(?:erreur|échec)s?)|se termine(?:nt)? (?:avec succès|correctement|sans (?:aucune )?erreurs?)|tournent sans erreurs?|ok|au vert|réussis|passés",
  ran: /^(?:j'ai )?(?:exécuté|lancé|fait tourner) (?:tous )?(?:les tests|(?:toute )?la suite(?: complète)?(?: de tests)?)$|^tests ?$/u,
  everything:
    /^(?:ils |elles )?(?:sont )?(?:tous|toutes|tout) (?:passent|passe|réussissent|passés|réussis|est au vert|est vert|au vert|verts)$|^(?:ils|elles|qui) passent (?:tous|toutes)$|^ils ont tous réussi$|^(?:sans (?:aucun échec|aucune erreur|erreur|échec)|aucun échec|aucune erreur|il n'y a eu aucun(?: échec|e erreur))$/u,
  types: `(?:la )?vérification (?:des|de) types?|(?:le )?typage|(?:le )?contrôle (?:des|de) types?|(?:les )?types|${tools}`,
  lint: `(?:le )?linter|(?:le )?lint|(?:le )?linting|${linters}`,
  build: "(?:le )?build|(?:la )?compilation|(?:le )?projet|(?:la )?construction",
  checks: "(?:toutes )?les vérifications|tous les contrôles|tous les checks|tout",
  clean:
    "passe|passent|réussit|réussissent|sont passées|sont au vert|est propre|est correct|est correcte|sont corrects|est au vert|est vert|est ok|fonctionne|aboutit|se termine (?:avec succès|correctement|sans erreur)|est réussie?|ne (?:signale|remonte|rapporte|trouve|montre) (?:rien|aucune erreur|aucun problème|aucun avertissement|plus d'erreurs?)|propre|ok|aucune erreur|a réussi",
  compiles: "(?:le code|le projet|tout|typescript|ça) (?:se )?compile",
  others: [
    [
      "types-check",
      whole("(?:il n'y a )?(?:plus )?(?:aucune|pas d') ?erreurs? (?:de|des) (?:types?|typage|typescript)"),
    ],
    [
      "lint-clean",
      whole(
        "(?:il n'y a )?(?:plus )?(?:aucune|aucun|pas d') ?(?:erreurs?|avertissement|problème) (?:de|du) (?:lint|linter|linting|eslint)",
      ),
    ],
    ["tests-pass", whole("aucun test n'échoue(?: plus)?|plus aucun test n'échoue|aucun test en échec")],
    [
      "no-other-callers",
      whole(
        `(?:il n'y a |il n'existe )?(?:aucun autre|pas d'autres?) (?:appelant|appelants|appel|appels|appeleur|usage|usages|utilisation|utilisations|consommateur)s?(?: (?:de|à|pour) ${named}| n'existe)?|(?:${named}|la fonction|la méthode) n'est (?:utilisée?|appelée?|référencée?) nulle part ailleurs|rien d'autre n'(?:utilise|appelle) ${named}`,
      ),
    ],
    [
      "callers-updated",
      whole(
        `(?:j'ai (?:mis à jour|adapté|modifié) )?tous les (?:appels|appelants|usages|sites d'appel)(?: (?:de|à) ${named})?(?:(?: ont été| sont)(?: tous)? (?:mis à jour|adaptés|modifiés|renommés))?`,
      ),
    ],
    [
      "formatting-only",
      whole(
        "(?:c'est |il s'agit |ce sont )?(?:uniquement|seulement|juste|purement|simplement) (?:d'|de |du |de la |une? |la |le |des )*(?:mise en forme|formatage|indentation|changements? de (?:formatage|mise en forme|format))|(?:des )?changements? de (?:formatage|mise en forme|format) (?:uniquement|seulement)|seule? (?:la mise en forme|le formatage|l'indentation) (?:change|a changé|a été modifiée?)|(?:c'est |la modification est )?purement cosmétique",
      ),
    ],
    [
      "no-behaviour-change",
      whole(
        "le comportement (?:reste|est|demeure) (?:inchangé|identique|le même)|(?:il n'y a )?aucun changement (?:de comportement|fonctionnel)|le comportement ne change pas|sans (?:changer|modifier) le comportement",
      ),
    ],
    [
      "api-unchanged",
      whole(
        "l'(?:api|interface)(?: publique)? (?:reste|est|demeure) (?:inchangée|la même|identique)|l'(?:api|interface)(?: publique)? ne change pas|l'(?:api|interface)(?: publique)? n'a pas (?:changé|été modifiée)|aucun changement (?:dans|de|à|d') ?l?'?(?:api|interface)(?: publique)?|(?:les|la) signatures? (?:restent|reste|sont|est) (?:inchangées?|les mêmes|la même|identiques?)|sans (?:changer|modifier) l'(?:api|interface)(?: publique)?",
      ),
    ],
    [
      "only-files",
      whole(
        `(?:j'ai )?(?:seulement|uniquement) modifié (?:le fichier )?${named}|je n'ai (?:modifié|touché|changé) (?:que |qu'à |qu'au fichier )(?:le fichier )?${named}|je n'ai rien (?:modifié|touché|changé) (?:d'autre )?(?:que|à part) ${named}|(?:seul|seule|uniquement) (?:le fichier )?${named} (?:a été|est) (?:modifiée?|touchée?|changée?)|aucun autre fichier n'(?:a été|est) (?:modifié|touché|changé)|(?:les )?modifications? (?:se )?(?:limite|limitent|limitées?) à ${named}`,
      ),
    ],
    [
      "no-new-dependencies",
      whole(
        "(?:il n'y a )?aucune (?:nouvelle )?dépendance(?: supplémentaire| nouvelle)?(?: n'a été ajoutée| ajoutée| n'est ajoutée| requise)?|pas de nouvelles? dépendances?|sans (?:nouvelle dépendance|nouvelles dépendances|dépendance supplémentaire|ajouter (?:de|aucune) (?:nouvelles? )?dépendances?)|je n'ai (?:pas )?ajouté (?:aucune|de) (?:nouvelles? )?dépendances?",
      ),
    ],
    [
      "tests-untouched",
      whole(
        "les tests(?: existants)? (?:restent|sont|demeurent) inchangés|les tests(?: existants)? n'ont pas (?:été (?:modifiés|touchés|changés)|changé|bougé)|je n'ai pas (?:modifié les|touché aux|changé les) tests(?: existants)?|aucun test(?: existant)? n'a été (?:modifié|touché|changé)",
      ),
    ],
    [
      "tests-added",
      whole(
        "(?:j'ai |aussi |également |en plus )*(?:ajouté|écrit|créé) (?:(?:aussi|également|un|des|de|deux|trois|plusieurs|nouveau|nouveaux|\\d+) ){0,3}tests?(?: unitaires?| d'intégration| de (?:non-)?régression)?(?: (?:pour|qui|sur|couvrant|afin) .{1,100})?",
      ),
    ],
  ],
};

const spanish: Language = {
  hedges: [
    [/^(ahora )deberían pasar (todos los tests|todas las pruebas)$/u, "$2 pasan $1"],
    [
      /^((?:(?:todos|todas) )?(?:los tests|las pruebas) )(?:(ahora|ya) deberían|deberían (ahora|ya)) (?:pasar|estar en verde)$/u,
      "$1pasan ahora",
    ],
    [/^((?:(?:todos|todas) )?(?:los tests|las pruebas) )deberían pasar (?:ahora|ya)$/u, "$1pasan ahora"],
  ],
  guard: ofWords(
    "si|cuando|una vez|en cuanto|deber\\p{L}{1,6}|deben?|podr\\p{L}{1,5}|puede|pueden|probablemente|quizás?|tal vez|posiblemente|seguramente|teóricamente|esper\\p{L}{1,4}|creo|pienso|supongo|parece\\p{L}?|antes|previamente|anteriormente|originalmente|salvo|excepto|excepción|menos|aparte|casi|mayoría|algun\\p{L}{1,2}|verific(?:a|ar|ad|ue)|comprueba|asegúr\\p{L}{1,5}|asegur\\p{L}{1,4}|para que|según|dice\\p{L}?|afirma\\p{L}?|pasarán|será\\p{L}?|fallan|fallaron|fallando|(?<!(?:nada|ninguna|ninguno) )falló|(?<!(?:no hubo|no hay|sin|0) )fallos|omitid\\p{L}{1,2}|ignor\\p{L}{1,4}|aún no|todavía no|no ejecut\\p{L}{1,4}|no pude|objetivo|entonces|por favor|sin este cambio|sin (?:haber|ejecutar\\p{L}{0,3}|correr)|sin estos cambios",
  ),
  and: /\s(?:y|e|pero)\s/,
  filling:
    "ahora|ya|todavía|aún|también|localmente|correctamente|con éxito|exitosamente|sin errores|sin problemas|de nuevo|nuevamente|tras el cambio|después del cambio|con este cambio|con estos cambios|todos|todas|así|por tanto|resultado:?|siguen|perfectamente",
  all: "todos los|todas las|los|las|la|el|toda la|todos mis|todas nuestras",
  tests:
    "(?:tests|pruebas)(?: unitarias| unitarios| de integración)?(?: existentes| actuales)?|(?:\\d+ )(?:tests|pruebas)|(?:suite|conjunto|batería)(?: completa| completo)?(?: de (?:tests|pruebas))|suite(?: completa)?",
  passes:
    "pasan|pasa|pasaron|pasó|pasando|han pasado|ha pasado|están en verde|está en verde|son exitosas|fueron exitosas|tienen éxito|siguen pasando|sigue pasando|se (?:ejecutan?|ejecutaron|ejecutó|han? ejecutado) (?:correctamente|con éxito|exitosamente|sin errores)|funcionan|superadas|superados|en verde|han sido superadas",
  ran: /^(?:he )?(?:ejecutado|ejecuté|corrí|lancé) (?:todos |todas |toda )?(?:los tests|las pruebas|la suite(?: completa)?(?: de (?:pruebas|tests))?)$|^(?:tests|pruebas)$/u,
  everything:
    /^(?:todos|todas|todo) (?:pasan|pasa|pasaron|pasó|han pasado|en verde|está en verde|están en verde|correcto|correctas)$|^(?:(?:y )?(?:no hubo|no hay|sin) (?:fallos|errores|ningún fallo)|sin un solo fallo|ningun[oa] falla|ningun[oa] falló|nada falla|nada falló)$/u,
  types: `(?:la )?(?:comprobación|verificación) de tipos|(?:el )?chequeo de tipos|(?:los )?tipos|(?:el )?tipado|${tools}`,
  lint: `(?:el )?linter|(?:el )?lint|(?:el )?linting|${linters}`,
  build: "(?:el )?build|(?:la )?compilación|(?:la )?construcción|(?:el )?proyecto",
  checks: "(?:todas )?las (?:comprobaciones|verificaciones)|todos los (?:checks|chequeos)|todo",
  clean:
    "pasa|pasan|pasó|es correcta|es correcto|son correctos|está limpio|está en verde|funciona|es exitosa|es exitoso|fue exitosa|(?:se completa|termina) (?:correctamente|con éxito|sin errores)|no (?:reporta|muestra|encuentra|da|informa)(?: de)? (?:nada|errores|problemas|advertencias|ningún error)|limpio|correcto|sin errores|ok",
  compiles: "(?:el código|el proyecto|todo|typescript) (?:se )?compila",
  others: [
    ["types-check", whole("(?:no hay|sin) (?:errores|ningún error) de (?:tipos?|tipado|typescript)")],
    [
      "lint-clean",
      whole(
        "(?:no hay|sin) (?:errores|advertencias|problemas|ningún error) (?:de|del) (?:lint|linter|linting|eslint)",
      ),
    ],
    [
      "tests-pass",
      whole(
        "(?:ya )?no falla ninguna prueba|ninguna prueba falla(?: ya)?|ningún test falla(?: ya)?|no falla ning(?:ún test|una prueba)|(?:ya )?no hay (?:pruebas fallidas|tests fallidos)",
      ),
    ],
    [
      "no-other-callers",
      whole(
        `no (?:hay|existen) (?:otros|otras|más) (?:llamadores|llamadas|usos|referencias|llamantes|consumidores)(?: (?:a|de) ${named})?|(?:${named}|la función|el método) no se (?:usa|llama|utiliza|invoca) en ning(?:ún|una) otr[oa] (?:lugar|sitio|parte)|nada más (?:usa|llama a|utiliza) ${named}|(?:sin|ningún otro) (?:otros )?(?:llamadores|llamador|usos)`,
      ),
    ],
    [
      "callers-updated",
      whole(
        `(?:he actualizado|actualicé|he adaptado|adapté) (?:todos los|todas las) (?:llamadores|llamadas|usos|referencias)(?: (?:a|de) ${named})?|(?:todos los|todas las) (?:llamadores|llamadas|usos|referencias)(?: (?:a|de) ${named})? (?:han sido|fueron|están|se han) (?:actualizad[oa]s?|adaptad[oa]s?)`,
      ),
    ],
    [
      "formatting-only",
      whole(
        "(?:es |son |se trata de |he hecho )?(?:(?:solo|sólo|únicamente|solamente|puramente) )?(?:un |cambios? )?(?:solo |sólo |únicamente |solamente |puramente )(?:(?:un|es|son|se|cambia|cambió|cambié|he cambiado|cambio|cambios|de|el|la) ){0,4}(?:formato|formateo|indentación|sangría)|(?:es |son )?(?:un )?cambios? (?:puramente |solo |únicamente )?(?:de formato|cosméticos?)(?: únicamente| solamente)?",
      ),
    ],
    [
      "no-behaviour-change",
      whole(
        "el comportamiento (?:no cambia|no ha cambiado|sigue (?:siendo el mismo|igual)|permanece (?:igual|sin cambios)|es el mismo|se mantiene(?: igual| intacto)?)|(?:no hay|sin) cambios (?:de comportamiento|funcionales|en el comportamiento)|sin (?:cambiar|modificar|alterar) el comportamiento",
      ),
    ],
    [
      "api-unchanged",
      whole(
        "la (?:api|interfaz)(?: pública)? (?:no cambia|no ha cambiado|sigue igual|permanece (?:igual|sin cambios|intacta)|se mantiene(?: igual| intacta)?|es la misma|no se modificó)|(?:no hay|sin) cambios en la (?:api|interfaz)(?: pública)?|las? firmas? no (?:cambian?|se modific\\p{L}{1,4})|sin (?:cambiar|modificar) la (?:api|interfaz)(?: pública)?",
      ),
    ],
    [
      "only-files",
      whole(
        `(?:no (?:modifiqué|cambié|toqué|he modificado) (?:nada|ningún archivo) (?:más )?que ${named}|no (?:modifiqué|cambié|toqué) más que ${named})|(?:solo|sólo|únicamente|solamente) (?:(?:he|se|ha) )*(?:modificado|modifiqué|modificó|modifica|cambié|cambiado|toqué|tocado)(?: el archivo)? ${named}|ningún otro archivo (?:fue|ha sido|se ha|se) (?:modificado|modificó|tocado|cambiado)|no (?:se modificaron|se han modificado|he modificado|modifiqué|toqué) otros archivos|(?:los )?cambios se limitan a ${named}|el cambio se limita a ${named}`,
      ),
    ],
    [
      "no-new-dependencies",
      whole(
        "sin (?:nuevas dependencias|dependencias (?:nuevas|adicionales)|(?:agregar|añadir) (?:nuevas )?dependencias(?: nuevas)?)|no (?:(?:se|he|han|hay|añadí|agregué|añadieron|agregaron|añadido|agregado|introduje) ){1,3}(?:nuevas dependencias|dependencias (?:nuevas|adicionales)|ninguna dependencia(?: nueva)?)|ninguna dependencia nueva",
      ),
    ],
    [
      "tests-untouched",
      whole(
        "no (?:modifiqué|toqué|he modificado|he tocado|se modificaron|se tocaron|cambié) (?:los tests|las pruebas)(?: existentes)?|(?:los tests|las pruebas)(?: existentes)? (?:no (?:cambian|cambiaron|se modificaron|se tocaron|han cambiado)|quedan igual|siguen (?:igual|sin cambios))|ning(?:una prueba|ún test) (?:fue|ha sido) modificad[oa]",
      ),
    ],
    [
      "tests-added",
      whole(
        "(?:he |también |además )*(?:añadí|añadido|agregué|agregado|escribí|escrito|creé|creado) (?:(?:también|un|una|unos|unas|dos|tres|varias|varios|nuevas|nuevos|nueva|nuevo|\\d+) ){0,3}(?:pruebas?|tests?)(?: nuev[oa]s?)?(?: unitari[oa]s?| de integración| de regresión)?(?: (?:para|que|sobre) .{1,100})?",
      ),
    ],
  ],
};

export const languages: readonly Language[] = [german, french, spanish];
