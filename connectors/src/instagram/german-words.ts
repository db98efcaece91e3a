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
}
