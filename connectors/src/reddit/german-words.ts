import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  subreddit: {
    title: 'Subreddit',
    description: 'Wohin der Beitrag geht, etwa r/bells. Ohne Angabe geht er auf das Profil des Kontos.',
  },
  flair: {
    title: 'Flair',
    description: 'Der Name eines Flairs, das der Subreddit hat. Manche nehmen keine Beiträge ohne eines.',
  },
  nsfw: {
    title: 'Nicht jugendfrei',
    description: 'Reddit verdeckt den Beitrag und zeigt ihn nur Erwachsenen.',
  },
  spoiler: {
    title: 'Spoiler',
    description: 'Reddit verdeckt den Beitrag, bis jemand ihn öffnet.',
  },
  notify: {
    title: 'Über Kommentare benachrichtigen',
    description: 'Das Konto bekommt eine Nachricht über Kommentare zum Beitrag.',
  },
}
