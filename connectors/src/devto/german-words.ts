import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  tags: {
    title: 'Schlagwörter',
    description: 'Bis zu vier Wörter aus Buchstaben und Ziffern, mit Kommas dazwischen.',
  },
  cover: {
    title: 'Adresse des Titelbilds',
    description: 'Die Adresse eines Bildes, das im Internet bleibt. DEV nimmt keine Dateien.',
  },
  canonicalUrl: {
    title: 'Kanonische Adresse',
    description: 'Wo der Artikel zuerst erschienen ist. Suchmaschinen zeigen dann jenen.',
  },
  draft: {
    title: 'Als Entwurf',
    description: 'Der Artikel wird als Entwurf des Kontos angelegt, um ihn auf DEV zu veröffentlichen.',
  },
}
