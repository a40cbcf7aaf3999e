/// nginx's directives that do not change where a request goes, with the places and numbers of arguments they have in
/// current nginx (1.31) and, where it dropped them, in earlier ones; two common additions are among them.
///
/// They are accepted, so that a whole nginx.conf loads, and listed once as ignored.
enum IgnoredDirectives {}
