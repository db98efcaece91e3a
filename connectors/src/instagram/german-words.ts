import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  shareToFeed: {
    title: 'Reel im Feed zeigen',
    description: 'Ein Reel erscheint im Reels-Tab; so erscheint es auch im Feed und im Profil.',
  },
  coverSeconds: {
    title: 'Titelbild',
    description: 'Die Stelle des Videos, in Sekunden, deren Bild zum Titelbild des Reels wird.',
  },
  collaborators: {
    title: 'Mitwirkende',
    description: 'Bis zu drei Benutzernamen, die eingeladen werden, den Beitrag auch als ihren zu teilen.',
  },
  coverUrl: {
    title: 'Bild als Titelbild',
    description: 'Die Adresse eines JPEG von höchstens 8 MB, das statt einer Stelle des Videos zum Titelbild des Reels wird.',
  },
  userTags: {
    title: 'Personen im Bild',
    description: 'Bis zu 20 Benutzernamen, die auf dem ersten Foto oder im Video markiert werden.',
  },
  locationId: {
    title: 'Ort',
    description: 'Die Nummer der Facebook-Seite eines Ortes, der über dem Beitrag steht.',
  },
  aiGenerated: { title: 'Mit KI erstellt', description: 'Kennzeichnet den Beitrag als mit künstlicher Intelligenz erstellt.' },
}
