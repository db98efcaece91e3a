/** The colours of labels and notes. Clients choose the shades, so that each can be read on a light and on a dark page. */
export const markColors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'indigo', 'purple', 'pink', 'gray'] as const
export type MarkColor = (typeof markColors)[number]
