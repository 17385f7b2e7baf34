/** The largest text file that read, write, edit and patch take: one bound for all of them. */
export const maxTextBytes = 16 * 1024 * 1024
