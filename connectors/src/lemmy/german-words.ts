import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  community: {
    title: 'Community',
    description:
      'Wohin der Beitrag geht, etwa bells oder bells@lemmy.example. Ohne Angabe geht er in die Community der Verbindung.',
  },
  language: {
    title: 'Sprache',
    description: 'Das Kürzel einer Sprache, etwa de. Ohne Angabe nimmt der Server die übliche des Kontos.',
  },
  nsfw: {
    title: 'Nicht jugendfrei',
    description: 'Der Beitrag ist für Menschen verborgen oder unscharf, die solche Beiträge nicht sehen wollen.',
  },
}
