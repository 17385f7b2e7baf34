/** The variables of a command in a box, the same behind every kind of wall. */
export const guestEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/home/box",
  USER: "box",
  LOGNAME: "box",
  LANG: "C.UTF-8",
  TERM: "dumb",
} as const
