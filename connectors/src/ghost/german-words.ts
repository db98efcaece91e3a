import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  tags: {
    title: 'Schlagwörter',
    description:
      'Wörter mit Kommas dazwischen. Das erste wird beim Beitrag gezeigt. Was die Website noch nicht hat, wird angelegt.',
  },
  excerpt: {
    title: 'Textauszug',
    description: 'Eine Zusammenfassung für Listen und Suchmaschinen. Ohne sie nimmt Ghost den Anfang des Textes.',
  },
  featureImage: {
    title: 'Erstes Bild als Beitragsbild',
    description: 'Das Theme der Website zeigt es über dem Beitrag und in Listen. Sonst stehen alle Bilder im Beitrag.',
  },
  visibility: {
    title: 'Wer ihn lesen kann',
    description: 'Andere sehen den Titel, den Textauszug und das Beitragsbild.',
    choices: { public: 'Alle', members: 'Mitglieder', paid: 'Zahlende Mitglieder' },
  },
  featured: {
    title: 'Hervorgehoben',
    description: 'Themes zeigen hervorgehobene Beiträge an einem eigenen Ort.',
  },
}
