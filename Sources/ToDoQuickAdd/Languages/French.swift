import ToDoModel

extension Language {
  static let french = Language(
    weekdays: [
      "lundi, lun", "mardi, mar", "mercredi, mer", "jeudi, jeu", "vendredi, ven", "samedi, sam", "dimanche, dim",
    ],
    months: [
      "janvier, janv, jan", "février, fév, fevrier", "mars", "avril, avr", "mai", "juin", "juillet, juil", "août, aout",
      "septembre, sept", "octobre, oct", "novembre, nov", "décembre, déc, decembre",
    ],
    lexemes: [
      (.relative(-2), "avant-hier"),
      (.relative(-1), "hier"),
      (.relative(0), "aujourd'hui, aujourd'hui même"),
      (.relative(1), "demain"),
      (.relative(2), "après-demain, apres-demain, après demain, apres demain, aprés-demain"),
      (
        .part(.morning),
        "matin, du matin, le matin, au matin, dans la matinée, en matinée, à la première heure, à la première heure"
      ),
      (.part(.noon), "midi"),
      (
        .part(.afternoon),
        """
        après-midi, apres-midi, aprem, aprèm, cet après-midi, après midi, apres midi, de l'après-midi, l'après-midi, \
        dans l'après-midi, en fin d'après-midi, fin d'après-midi
        """
      ),
      (.part(.evening), "soir, du soir, le soir, au soir, dans la soirée, en soirée"),
      (.part(.night), "nuit"), (.relativePart(0, .evening), "ce soir"), (.relativePart(0, .night), "cette nuit"),
      (.clock(720), "midi"), (.clock(1440), "minuit"),
      (.endOfDay, "fin de journée, en fin de journée, la fin de la journée"),
      (.number(1), "un, une"), (.number(2), "deux"), (.number(3), "trois"),
      (.number(4), "quatre"), (.number(5), "cinq"), (.number(6), "six"), (.number(7), "sept"), (.number(8), "huit"),
      (.number(9), "neuf"),
      (.number(10), "dix"),
      (.number(11), "onze"),
      (.number(12), "douze"),
      (.number(15), "quinze"),
      (.number(20), "vingt"),
      (.number(30), "trente"),
      (.unit(.minute), "min, minute, minutes"), (.unit(.hour), "h, heure, heures"),
      (.unit(.halfHour), "demi-heure, demie-heure"), (.unit(.quarterHour), "quart d'heure"),
      (.unit(.day), "j, jour, jours"), (.unit(.week), "semaine, semaines"), (.unit(.month), "mois"),
      (.unit(.year), "an, ans, année"), (.span(.week), "semaine, en huit"), (.span(.weekend), "week-end, weekend"),
      (.span(.month), "mois"), (.span(.year), "année, l'année, l'an"),
      (.endOf(.week), "fin de semaine, en fin de semaine, la fin de la semaine, fin de la semaine"),
      (
        .endOf(.month),
        "dernier jour du mois, en fin de mois, à la fin du mois, fin du mois, la fin du mois, fin de mois"
      ),
      (.endOf(.year), "fin de l'année"),
      (.ordinal(1), "premier, 1er, première"), (.ordinal(2), "deuxième, second"), (.ordinal(3), "troisième"),
      (.ordinal(0), "dernier"),
      (.next, "prochain, prochaine, suivant"),
      (.edge(.start), "début, en début de, au début de"),
      (.edge(.middle), "mi, milieu, au milieu de"),
      (.edge(.end), "fin"), (.this, "ce, cet, cette"),
      (.last, "dernier, dernière"), (.article, "le, la, l'"), (.of, "de, du, de la"), (.ahead, "dans"),
      (.insteadOf, "au lieu de, au lieu du"),
      (.within, "d'ici, sous"),
      (.fromNow, "plus tard"),
      (
        .beforeDay,
        """
        le, avant le, avant, d'ici, d'ici le, jusqu'à, jusqu'au, dès, dès le, à partir de, à partir du, pour, \
        pour le, après, au, \
        au plus tard, ce, la, avant la
        """
      ),
      (.beforeTime, "à, a, environ, vers, avant, après, apres, vers, jusqu'à, dès, pour, d'ici, de"), (.on, "le, la"),
      (.at, "à"),
      (.before, "avant, avant le"), (.after, "après, après le"),
      (.through, "à, au, -"), (.between, "entre"), (.from, "de"), (.beforeMonth, "en, avant, d'ici"),
      (.sharp, "pile, précises"), (.trailer, "au plus tard, dernier délai, sans faute"), (.and, "et, ou"),
      (.oClock, "heures, heure, h"), (.half, "demie, demi"), (.quarter, "quart, le quart"),
      (
        .name,
        "mardi gras, mardis gras, joli mois de mai, tour du monde en 80 jours, 400 coups, cléo de 5 à 7"
      ),
      (
        .beforeHoliday,
        "à, avant, d'ici, après, jusqu'à, dès, d'ici à, le, à la, avant la, avant le, au, juste avant"
      ),
      (.holiday(.fixed(month: 12, day: 24)), "veille de noël, la veille de noël, réveillon de noël"),
      (.holiday(.fixed(month: 12, day: 25)), "noël, noel, jour de noël"),
      (.holiday(.fixed(month: 12, day: 31)), "saint-sylvestre, réveillon du nouvel an, veille du nouvel an"),
      (.holiday(.fixed(month: 1, day: 1)), "nouvel an, jour de l'an"),
      (.holiday(.fixed(month: 2, day: 14)), "saint-valentin"), (.holiday(.fixed(month: 11, day: 1)), "toussaint"),
      (.holiday(.fixed(month: 10, day: 31)), "halloween"), (.holiday(.easter(0)), "pâques, paques"),
      (.holiday(.easter(1)), "lundi de pâques"), (.holiday(.easter(39)), "ascension, l'ascension"),
      (.holiday(.easter(49)), "pentecôte"), (.holiday(.easter(50)), "lundi de pentecôte"),
      (.workdays, "en semaine"), (.weekends, "les week-ends"), (.every, "chaque, tous les, toutes les"),
      (.outOfTwo, "sur deux, sur 2"), (.parts(.morning), "matins"), (.parts(.evening), "soirs"),
      (.parts(.night), "nuits"),
      (.parts(.afternoon), "après-midis"),
      (.except, "sauf, sauf le, sauf les, excepté"),
      (.repeating, "répéter, à répéter"),
      (.onDays, "le, la, les, au, chaque, tous les"), (.ofMonth, "du mois"),
      (.ofEveryMonth, "de chaque mois, chaque mois, tous les mois, de tous les mois, par mois"),
      (.count(1), "une fois"), (.count(2), "deux fois"), (.count(3), "trois fois"), (.count(4), "plusieurs fois"),
      (.times, "fois"), (.per, "par"),
      (
        .afterDone,
        """
        après l'avoir fait, après l'avoir faite, après réalisation, après exécution, une fois fait, après achèvement, \
        après l'achèvement, après avoir terminé, après que c'est fait, après la dernière fois
        """
      ),
      (.starts, "à partir de, à partir du, dès, dès le, à compter du, depuis le"),
      (.ends, "jusqu'à, jusqu'au, jusqu'en, jusqu'à la"), (.lasting, "pendant, durant, pendant les, pour les"),
      (
        .unrepeatable(.vague),
        "de temps en temps, tous les quelques jours, toutes les quelques semaines, une fois de temps en temps"
      ),
      (.unrepeatable(.several), "matin et soir, matin midi et soir"), (.unrepeatable(.often), "toutes les heures"),
      (.weekdays(0), "lundis, les lundis"), (.weekdays(1), "mardis, les mardis"),
      (.weekdays(2), "mercredis, les mercredis"), (.weekdays(3), "jeudis, les jeudis"),
      (.weekdays(4), "vendredis, les vendredis"), (.weekdays(5), "samedis, les samedis"),
      (.weekdays(6), "dimanches, les dimanches"),
      (.workday, "jour ouvré, jours ouvrés, jour de semaine, jours de semaine"),
      (.repeats(.daily, every: 1), "quotidiennement"), (.repeats(.weekly, every: 1), "hebdomadaire"),
      (.repeats(.monthly, every: 1), "mensuel, mensuellement"), (.repeats(.yearly, every: 1), "annuellement"),
      (.repeats(.monthly, every: 3), "chaque trimestre, tous les trimestres"),
      (.repeats(.monthly, every: 6), "chaque semestre, tous les semestres"),
      (.repeats(.daily, every: 2), "un jour sur deux"), (.repeats(.weekly, every: 2), "une semaine sur deux"),
      (.repeats(.monthly, every: 2), "un mois sur deux"),
      (.repeats(.yearly, every: 2), "un an sur deux, une année sur deux"),
    ],
    classes: [
      .dangling: """
      le, la, les, l', un, une, de, du, des, à, au, aux, et, ou, pour, par, avec, sans, chez, dans, en, sur, sous, \
      avant, après, vers, d'
      """,
      .copula: "est, sont, était, compte, comptent, sera, apporte, mérite, n'est",
      .preposition: """
      en, dès, sans, avant, après, vers, via, aux, avec, chez, pour, à, au, et, ou, dans, de, sur, stp, svp, merci, si, car, \
      quand, puis, sinon, impérativement
      """,
      .naming: "madame, monsieur, mme",
      .numbered: """
      n, n°, nº, nr, num, chapitre, chapitres, salle, article, articles, page, pages, exercice, exercices, question, questions, numéro, \
      n°, bus, ligne, \
      version, tome, saison, épisode, voie, porte, facture, leçon, étage, quai, python
      """,
      .ratio: "échelle, mélanger, diluer, imprimer, ratio, moins, format",
      .amount: """
      prix, vendre, four, thermostat, température, chauffage, loyer, volume, baisser, régler, vis, taille, remise
      """,
      .homograph: "jeu, mer, ven, mon",
      .thanks: "remercier, merci",
      .admission: "billets, billet, places",
      .rating: "noter, note",
      .book: "jean, luc, marc, matthieu",
      .travel: "train, vol, avion, bus, départ, ferry, navette, aéroport, gare, tgv",
      .late: "dîner, diner, soirée, fête, concert, théâtre, ciné, cinéma, opéra, apéro, spectacle", .measure: "euros",
      .street: "rue, avenue, place, boulevard, station, métro, quai, square, impasse, chemin, cours",
      .work: "lire, relire, écouter, regarder, voir, revoir, chanter, jouer, apprendre",
      .ordinalSuffix: "er, ère",
      .misspelling: "demian, dem, dmain, 2main, auj, ajd",
      .topic: "sur, pour",
      .lookalike: """
      marche, domaine, demande, vendre, vendrai, vendrez, nombre, démarche, décombres, dénombre, démembrer
      """,
    ],
    capitalDays: .never, spacesExclamationMarks: true)
}
