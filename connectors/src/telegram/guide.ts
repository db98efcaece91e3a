import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-14',
  summary: {
    en: 'Nothing to set up. Whoever owns a channel or a group adds a bot of their own to it, and connects with the token of the bot.',
    de: 'Nichts einzurichten. Wem ein Kanal oder eine Gruppe gehört, fügt einen eigenen Bot hinzu und verbindet mit dem Token des Bots.',
  },
  facts: {
    who: { en: 'Everybody, with channels and groups', de: 'Alle, mit Kanälen und Gruppen' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The bot loses its rights in the chat, or its owner asks BotFather for a new token.',
      de: 'Der Bot verliert seine Rechte im Chat, oder wem er gehört, verlangt bei BotFather ein neues Token.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make a bot', de: 'Bot anlegen' },
      text: [
        {
          en: 'In Telegram, write `/newbot` to *@BotFather*, and choose a name and a user name that ends with `bot`. The answer has the token. One bot serves all of your channels and groups.',
          de: 'Schreib in Telegram `/newbot` an *@BotFather* und wähle einen Namen und einen Benutzernamen, der mit `bot` endet. Die Antwort enthält das Token. Ein Bot genügt für alle deine Kanäle und Gruppen.',
        },
        {
          en: 'Whoever has the token can write as the bot. If it became known, `/revoke` makes a new one; then reconnect.',
          de: 'Wer das Token hat, kann als der Bot schreiben. Ist es bekannt geworden, macht `/revoke` ein neues; verbinde danach neu.',
        },
      ],
    },
    {
      title: { en: 'Add it to the channel or group', de: 'Zum Kanal oder zur Gruppe hinzufügen' },
      text: [
        {
          en: 'Channel: *Administrators → Add Admin*, search for the user name of the bot, and leave *Post Messages* on. Group: *Add Members*.',
          de: 'Kanal: *Administrators → Add Admin*, nach dem Benutzernamen des Bots suchen und *Post Messages* angeschaltet lassen. Gruppe: *Add Members*.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the token and the name of the channel or group, such as `@belltower`, or its link. A private one has only a number that begins with `-100`: open it in *Telegram Web* and copy the number from the address.',
          de: 'Gib das Token und den Namen des Kanals oder der Gruppe ein, etwa `@belltower`, oder den Link. Ein privater Chat hat nur eine Nummer, die mit `-100` beginnt: öffne ihn in *Telegram Web* und kopiere die Nummer aus der Adresse.',
        },
        {
          en: 'Each channel and each group is an account of its own. Connect the next one with the same token.',
          de: 'Jeder Kanal und jede Gruppe ist ein eigenes Konto. Verbinde den nächsten mit demselben Token.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The bot may not post in this chat', de: 'Der Bot darf in diesem Chat nicht schreiben' },
      cure: {
        en: 'Add it first, as an administrator in a channel, and then connect. The name must be that of the chat, not that of the bot.',
        de: 'Füge ihn erst hinzu, in einem Kanal als Administrator, und verbinde dann. Der Name muss der des Chats sein, nicht der des Bots.',
      },
    },
    {
      sign: {
        en: 'A group was made a larger one, and posts fail',
        de: 'Aus einer Gruppe wurde eine größere, und Beiträge scheitern',
      },
      cure: {
        en: 'Telegram gives it a new number then. Disconnect the old one and connect the group again.',
        de: 'Telegram gibt ihr dann eine neue Nummer. Trenne die alte und verbinde die Gruppe neu.',
      },
    },
    {
      sign: { en: 'A post is unconfirmed', de: 'Ein Beitrag ist unbestätigt' },
      cure: {
        en: 'The answer was lost, and a bot cannot read what it wrote. Look into the chat, then say whether the post is there.',
        de: 'Die Antwort ging verloren, und ein Bot kann nicht lesen, was er geschrieben hat. Sieh im Chat nach und sag dann, ob der Beitrag da ist.',
      },
    },
  ],
  sources: [
    { url: 'https://core.telegram.org/bots/api', on: '2026-11-14' },
    { url: 'https://core.telegram.org/bots/faq', on: '2026-11-14' },
  ],
}
