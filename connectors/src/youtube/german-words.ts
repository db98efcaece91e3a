import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  privacy: {
    title: 'Wer das Video sehen kann',
    description: 'Bis YouTube die Entwickler-App dieser Installation geprüft hat, ist jedes Video nur für dich sichtbar.',
    choices: { public: 'Alle', unlisted: 'Alle mit dem Link', private: 'Nur du' },
  },
  audience: {
    title: 'Speziell für Kinder',
    description: 'Das Gesetz verlangt diese Angabe. Ein Video für Kinder hat keine Kommentare und keine persönliche Werbung.',
    choices: {
      channel: 'Wie beim Kanal eingestellt',
      not_kids: 'Nein, nicht speziell für Kinder',
      kids: 'Ja, speziell für Kinder',
    },
  },
  tags: { title: 'Tags', description: 'Wörter, über die das Video gefunden wird, mit Kommas dazwischen; zusammen 500 Zeichen.' },
  category: {
    title: 'Kategorie',
    description: 'Ist nichts gewählt, wählt YouTube eine.',
    choices: {
      '1': 'Film & Animation',
      '2': 'Autos & Fahrzeuge',
      '10': 'Musik',
      '15': 'Tiere',
      '17': 'Sport',
      '19': 'Reisen & Events',
      '20': 'Gaming',
      '22': 'Menschen & Blogs',
      '23': 'Comedy',
      '24': 'Unterhaltung',
      '25': 'Nachrichten & Politik',
      '26': 'Praktische Tipps & Styling',
      '27': 'Bildung',
      '28': 'Wissenschaft & Technik',
      '29': 'Soziales Engagement',
    },
  },
  playlistId: {
    title: 'Playlist',
    description: 'Die ID einer Playlist des Kanals, aus ihrer Adresse nach list=, zu der das Video hinzugefügt wird.',
  },
  notifySubscribers: {
    title: 'Abonnenten benachrichtigen',
    description: 'YouTube informiert die Abonnenten des Kanals über das Video.',
  },
  aiGenerated: {
    title: 'Mit KI erstellt',
    description: 'Kennzeichnet das Video als mit künstlicher Intelligenz erstellt oder so verändert, dass es echt wirkt.',
  },
}
