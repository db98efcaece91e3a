import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Nothing to set up. Whoever manages a Discord server adds a bot of their own to it, and connects with the token of the bot.',
    de: 'Nichts einzurichten. Wer einen Discord-Server verwaltet, fügt einen eigenen Bot hinzu und verbindet mit dem Token des Bots.',
  },
  facts: {
    who: { en: 'Everybody who manages a server', de: 'Alle, die einen Server verwalten' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The bot loses its permissions in the channel or is removed from the server, or its owner resets the token.',
      de: 'Der Bot verliert seine Rechte im Kanal oder wird vom Server entfernt, oder wem er gehört, setzt das Token zurück.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make a bot', de: 'Bot anlegen' },
      text: [
        {
          en: 'On `discord.com/developers/applications`, choose *New Application* and give it the name under which the posts appear. Under *Bot*, choose *Reset Token* and copy the token: it is shown once. The privileged intents can stay off.',
          de: 'Wähle auf `discord.com/developers/applications` *New Application* und gib den Namen ein, unter dem die Beiträge erscheinen. Wähle unter *Bot* *Reset Token* und kopiere das Token: Es wird einmal angezeigt. Die Privileged Intents können ausgeschaltet bleiben.',
        },
        {
          en: 'Whoever has the token can write as the bot. If it became known, reset it there and reconnect.',
          de: 'Wer das Token hat, kann als der Bot schreiben. Ist es bekannt geworden, setze es dort zurück und verbinde neu.',
        },
      ],
    },
    {
      title: { en: 'Add it to the server', de: 'Zum Server hinzufügen' },
      text: [
        {
          en: 'Under *OAuth2 → URL Generator*, choose the scope `bot` and the permissions *View Channels*, *Send Messages*, *Embed Links*, *Attach Files* and *Read Message History*. Open the address below, and choose the server.',
          de: 'Wähle unter *OAuth2 → URL Generator* den Scope `bot` und die Rechte *View Channels*, *Send Messages*, *Embed Links*, *Attach Files* und *Read Message History*. Öffne die Adresse darunter und wähle den Server.',
        },
        {
          en: 'In a private channel, add the bot under *Edit Channel → Permissions* as well.',
          de: 'In einem privaten Kanal füge den Bot zusätzlich unter *Edit Channel → Permissions* hinzu.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the token and the link of the channel: *Copy Link* in the menu of the channel. Text and announcement channels can be connected, forums and voice channels cannot.',
          de: 'Gib das Token und den Link des Kanals ein: *Copy Link* im Menü des Kanals. Textkanäle und Ankündigungskanäle können verbunden werden, Foren und Sprachkanäle nicht.',
        },
        {
          en: 'Each channel is an account of its own. Connect the next one with the same token.',
          de: 'Jeder Kanal ist ein eigenes Konto. Verbinde den nächsten mit demselben Token.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The bot may not post in this chat', de: 'Der Bot darf in diesem Chat nicht schreiben' },
      cure: {
        en: 'It is not in the server, or one of the five permissions is missing in this channel. Look at *Edit Channel → Permissions*, and then connect again.',
        de: 'Er ist nicht auf dem Server, oder eines der fünf Rechte fehlt in diesem Kanal. Sieh unter *Edit Channel → Permissions* nach und verbinde dann neu.',
      },
    },
    {
      sign: {
        en: 'A post is refused because a file is too large',
        de: 'Ein Beitrag wird abgelehnt, weil eine Datei zu groß ist',
      },
      cure: {
        en: 'A file may have 10 MiB, and all files of a post together 25 MiB. Use fewer or smaller files.',
        de: 'Eine Datei darf 10 MiB haben, alle Dateien eines Beitrags zusammen 25 MiB. Nimm weniger oder kleinere Dateien.',
      },
    },
    {
      sign: { en: 'Mentions notify nobody', de: 'Erwähnungen benachrichtigen niemanden' },
      cure: {
        en: 'Choose in the settings of the post who is notified. `@everyone` also needs the permission *Mention Everyone* for the bot.',
        de: 'Wähle in den Einstellungen des Beitrags, wer benachrichtigt wird. Für `@everyone` braucht der Bot auch das Recht *Mention Everyone*.',
      },
    },
  ],
  sources: [
    { url: 'https://docs.discord.com/developers/resources/message', on: '2026-11-18' },
    { url: 'https://docs.discord.com/developers/topics/permissions', on: '2026-11-18' },
    { url: 'https://github.com/discord/discord-api-docs/pull/6647', on: '2026-11-18' },
  ],
}
