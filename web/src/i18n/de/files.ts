/** The texts of this language. Each file is loaded when a page first needs it. */
export const files = import.meta.glob<{ default: Record<string, unknown> }>('./*.json')
