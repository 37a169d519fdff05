import ToDoModel

extension Language {
  static let spanish = Language(
    weekdays: [
      "lunes, lun", "martes", "miércoles, miercoles, mié, mie, mier, miér", "jueves, jue, juev", "viernes, vie, vier",
      "sábado, sabado, sáb",
      "domingo, dom",
    ],
    months: [
      "enero, ene", "febrero, feb", "marzo", "abril, abr", "mayo", "junio", "julio", "agosto, ago", "septiembre, sept",
      "octubre, oct", "noviembre, nov", "diciembre, dic",
    ],
    lexemes: [
      (.relative(-2), "anteayer"),
      (.relative(-1), "ayer"),
      (.relative(0), "hoy, hoy mismo"),
      (.relative(1), "mañana"),
      (.relative(2), "pasado mañana"),
      (.part(.morning), "por la mañana, de la mañana, a primera hora"), (.part(.noon), "mediodía"),
      (.part(.afternoon), "tarde, por la tarde, de la tarde"), (.part(.night), "noche, por la noche, de la noche"),
      (.relativePart(1, .morning), "mañana a primera hora, a primera hora de mañana"),
      (.relativePart(0, .night), "esta noche"),
      (.relativePart(0, .afternoon), "esta tarde"),
      (.clock(720), "mediodía, mediodia, al mediodía"), (.clock(1440), "medianoche"),
      (.endOfDay, "final del día, fin del día"),
      (.number(0.5), "media"), (.number(1), "un, una"), (.number(2), "dos"), (.number(3), "tres"),
      (.number(4), "cuatro"),
      (.number(5), "cinco"), (.number(6), "seis"), (.number(7), "siete"), (.number(8), "ocho"), (.number(9), "nueve"),
      (.number(10), "diez"),
      (.number(11), "once"),
      (.number(12), "doce"),
      (.number(15), "quince"),
      (.number(20), "veinte"),
      (.number(30), "treinta"),
      (.unit(.minute), "min, minuto, minutos"),
      (.unit(.hour), "h, hora, horas"),
      (.unit(.day), "día, días, dia, dias"),
      (.unit(.week), "semana, semanas"), (.unit(.month), "mes, meses"), (.unit(.year), "año, años"),
      (.span(.week), "semana"), (.span(.weekend), "fin de semana, finde"), (.span(.month), "mes"),
      (.span(.year), "año"),
      (
        .endOf(.month),
        "último día del mes, el último día del mes, fin de mes, a fin de mes, final de mes, a final de mes, fin del mes, finales del mes, finales de mes, a finales de mes"
      ),
      (.endOf(.year), "fin de año"),
      (.ordinal(1), "primer, primero"), (.ordinal(2), "segundo"), (.ordinal(3), "tercer, tercero"),
      (.ordinal(4), "cuarto"), (.ordinal(0), "último"), (.edge(.start), "principios de, a principios de"),
      (.edge(.middle), "mediados de, a mediados de"), (.edge(.end), "finales de, a finales de, fines de"),
      (.next, "próximo, próxima, proximo, proxima, que viene"),
      (.this, "este, esta"), (.last, "pasado, pasada, último"), (.article, "el, la"), (.of, "de, del, de la"),
      (.insteadOf, "en vez de, en vez del, en lugar de, en lugar del"),
      (.ahead, "en, dentro de, de aquí a"), (.within, "dentro de"), (.ago, "atrás"),
      (
        .beforeDay,
        """
        el, antes del, antes de, hasta, hasta el, para, para el, por, desde, desde el, a más tardar, después del, la, \
        al, a partir del, \
        para la
        """
      ),
      (
        .beforeTime,
        """
        a las, a la, a, sobre la, aprox, antes de las, antes de, antes del, hasta las, sobre las, para las, desde las, hacia las, al, \
        de, de las, \
        a eso de las
        """
      ),
      (.on, "el, la"), (.at, "a las, a la"), (.before, "antes de, antes del"), (.after, "después de, después del"),
      (.through, "a, al, hasta, a las"), (.between, "entre, entre las, entre el"), (.from, "de, desde las, de las"),
      (.beforeMonth, "en, antes de, hasta"),
      (.sharp, "en punto"),
      (.trailer, "a más tardar, como muy tarde, como tarde, sin falta"),
      (.and, "y, o, e"),
      (.oClock, "h, horas"),
      (.half, "media"), (.quarter, "cuarto"),
      (
        .name,
        "martes y trece, el martes y trece, viernes 13, el viernes 13, sábado gigante, vuelta al mundo en 80 días, plaza de mayo, dos de mayo, lunes al sol"
      ),
      (
        .beforeHoliday,
        "en, a, antes de, antes del, hasta, después de, por, el, el día de, antes de la, en el, justo antes de"
      ),
      (.holiday(.fixed(month: 12, day: 24)), "nochebuena"),
      (.holiday(.fixed(month: 12, day: 25)), "navidad, navidades, día de navidad"),
      (.holiday(.fixed(month: 12, day: 31)), "nochevieja"),
      (.holiday(.fixed(month: 1, day: 1)), "año nuevo"), (.holiday(.fixed(month: 1, day: 6)), "reyes, día de reyes"),
      (.holiday(.fixed(month: 2, day: 14)), "san valentín"), (.holiday(.fixed(month: 10, day: 31)), "halloween"),
      (.holiday(.fixed(month: 11, day: 1)), "todos los santos"),
      (.holiday(.easter(0)), "pascua, domingo de resurrección"),
      (.holiday(.easter(-2)), "viernes santo"), (.holiday(.easter(-3)), "jueves santo"),
      (.holiday(.easter(-1)), "sábado santo, sabado santo"),
      (.holiday(.easter(-7)), "domingo de ramos"), (.every, "cada, todos los, todas las"),
      (.outOfTwo, "sí y otro no, sí y uno no, si y otro no"), (.parts(.morning), "mañana, mañanas"),
      (.parts(.afternoon), "tardes"), (.parts(.night), "noches"),
      (.except, "excepto, menos, salvo, excepto los, menos los"),
      (.repeating, "repetir"), (.onDays, "el, los, la, en, el día, cada, todos los"), (.ofMonth, "del mes"),
      (.ofEveryMonth, "de cada mes, cada mes, de todos los meses, todos los meses, al mes"),
      (.count(1), "una vez"), (.count(2), "dos veces"), (.count(3), "tres veces"), (.count(4), "varias veces"),
      (.times, "veces, vez"), (.per, "al, a la, por, cada"),
      (
        .afterDone,
        """
        después de hacerlo, tras hacerlo, después de hacerla, después de completarlo, tras completarlo, después de terminar, \
        después de terminarlo, después de completar, después de hecho, después de la última vez, desde la última vez
        """
      ),
      (.starts, "a partir del, a partir de, desde, desde el, empezando el, comenzando el"),
      (.ends, "hasta, hasta el, hasta finales de"),
      (.lasting, "durante, durante los próximos, durante las próximas, por, por los próximos, los próximos"),
      (
        .unrepeatable(.vague),
        "de vez en cuando, cada pocos días, cada pocas semanas, cada pocos meses, cada cierto tiempo, cada tanto"
      ),
      (.unrepeatable(.several), "mañana y noche, mañana y tarde"), (.unrepeatable(.often), "cada hora"),
      (.workday, "día laborable, día laboral, días laborables, día hábil, días hábiles"),
      (.workdays, "entre semana"), (.weekends, "los fines de semana"), (.weekdays(5), "sábados, los sábados"),
      (.weekdays(6), "domingos, los domingos"),
      (.weekdays(0), "los lunes"), (.weekdays(1), "los martes"), (.weekdays(2), "los miércoles"),
      (.weekdays(3), "los jueves"), (.weekdays(4), "los viernes"),
      (.repeats(.daily, every: 1), "diariamente, a diario"), (.repeats(.weekly, every: 1), "semanalmente"),
      (.repeats(.monthly, every: 1), "mensualmente"), (.repeats(.yearly, every: 1), "anualmente"),
      (.repeats(.weekly, every: 2), "quincenalmente, cada quincena"),
      (.repeats(.monthly, every: 3), "trimestralmente, cada trimestre"),
      (.repeats(.monthly, every: 6), "semestralmente, cada semestre"),
      (.repeats(.daily, every: 2), "un día sí y otro no, un día sí y un día no, días alternos, en días alternos"),
      (.repeats(.weekly, every: 2), "una semana sí y otra no"),
    ],
    classes: [
      .dangling: """
      el, la, los, las, un, una, de, del, a, al, y, o, e, para, por, con, sin, en, sobre, antes, hasta, desde, que
      """,
      .copula: "es, son, era, cuenta, tiene, será, trae, merece",
      .preposition: "con, en, para, y, o, de, a, porfa, gracias, si, cuando, porque, por, sin",
      .naming: "señora, señor",
      .numbered: """
      n, n°, nº, nr, num, capítulo, capítulos, aula, sala, página, páginas, tema, temas, ejercicio, ejercicios, pregunta, preguntas, \
      número, bus, línea, \
      versión, tomo, temporada, episodio, puerta, factura, lección, planta, andén, artículo, python
      """,
      .ratio: "escala, mezclar, diluir, imprimir, proporción, formato",
      .amount: """
      precio, vender, horno, termostato, temperatura, calefacción, alquiler, volumen, bajar, talla, descuento
      """,
      .thanks: "agradecer, gracias",
      .admission: "entradas, entrada, billetes",
      .rating: "poner, dar, puntuar",
      .book: "juan, lucas, marcos, mateo",
      .travel: "tren, vuelo, avión, autobús, bus, salida, ferry, aeropuerto, ave, estación",
      .late: "cena, cenar, fiesta, concierto, teatro, cine, ópera, cóctel, discoteca", .measure: "euros",
      .street: "calle, avenida, plaza, paseo, estación, parada, metro, parque, glorieta, colegio",
      .work: "leer, releer, escuchar, ver, cantar, tocar, aprender",
      .ordinalSuffix: "º, ª, °, er",
      .misspelling: "jueevs",
      .topic: "sobre, por",
      .lookalike: "sabido, salado, dominio, angosto, marte, macana, saturar, ferrero, aposto, sábalo",
    ],
    capitalDays: .never)
}
