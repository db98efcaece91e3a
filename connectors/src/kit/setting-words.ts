type Words = { title: string; description: string; choices?: Readonly<Record<string, string>> }

/** The words of a platform's settings in one language, by the names of the settings. The English words are in the schema itself. */
export type SettingWords = Readonly<Record<string, Words>>
