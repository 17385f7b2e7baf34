/**
 * The descriptor on which an interpreter takes code and tells how it went. It is none of the standard streams, so
 * that nothing a program prints can be taken for an answer. Well above what a sandbox uses for itself.
 */
export const channelDescriptor = 19
