#if Nominatim
/// Response bodies in the format of Nominatim 4 and 5.
enum NominatimSamples {
  static let licence = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"

  /// The response to "Barer Straße 27, München".
  static let house = """
    [{"place_id":118234,"licence":"\(licence)","osm_type":"way","osm_id":26819236,"lat":"48.1483045","lon":"11.5699946",\
    "category":"tourism","type":"museum","place_rank":30,"importance":0.5066,"addresstype":"tourism",\
    "name":"Alte Pinakothek","display_name":"Alte Pinakothek, 27, Barer Straße, Maxvorstadt, München, Bayern, 80333, \
    Deutschland","boundingbox":["48.1477937","48.1488153","11.5689391","11.5710501"]}]
    """

  /// The response to "Springfield". The first two places are equally important.
  static let springfields = """
    [{"place_id":1,"licence":"\(licence)","lat":"39.7990175","lon":"-89.6439575","category":"boundary",\
    "type":"administrative","place_rank":16,"importance":0.6,"addresstype":"city",\
    "display_name":"Springfield, Sangamon County, Illinois, United States"},\
    {"place_id":2,"licence":"\(licence)","lat":"37.2081729","lon":"-93.2922715","category":"boundary",\
    "type":"administrative","place_rank":16,"importance":0.6,"addresstype":"city",\
    "display_name":"Springfield, Greene County, Missouri, United States"},\
    {"place_id":3,"licence":"\(licence)","lat":"42.1018764","lon":"-72.5886727","category":"boundary",\
    "type":"administrative","place_rank":16,"importance":0.5,"addresstype":"city",\
    "display_name":"Springfield, Hampden County, Massachusetts, United States"}]
    """

  static let webPage = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>"
}
#endif
