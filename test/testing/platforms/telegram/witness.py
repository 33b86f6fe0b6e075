"""python-telegram-bot against a Telegram server for tests: one story, told as JSON on standard output.

    python witness.py '{"base": "http://127.0.0.1:1234/bot", "files": "http://127.0.0.1:1234/file/bot", "token": "...", ...}'

The people's side is played by whoever started it: a line on standard output names what is wanted next.
"""

import asyncio
import json
import sys

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, ReactionTypeEmoji, Update
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, RetryAfter
from telegram.ext import Application, CallbackQueryHandler, MessageHandler, filters

PLAN = json.loads(sys.argv[1])
CHAT = PLAN["chat"]


def tell(**fields):
    print(json.dumps(fields), flush=True)


async def refused(kind, call):
    """The name of the error a call ends with, and what the client made of it."""
    try:
        await call
    except kind as error:
        more = getattr(error, "new_chat_id", None) or getattr(error, "_retry_after", None)
        return [type(error).__name__, str(getattr(error, "message", error)), str(more) if more is not None else None]
    return ["nothing was raised", None, None]


async def hear(update, context):
    """Answers a person in every way there is."""
    message = update.effective_message
    bytes_in = None
    media = message.document or message.voice or (message.photo[-1] if message.photo else None)
    if media is not None:
        bytes_in = len(await (await media.get_file()).download_as_bytearray())
    tell(heard=message.text or message.caption, edited=update.edited_message is not None, topic=message.message_thread_id, bytes=bytes_in)
    if message.text == "buttons please":
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Go", callback_data="go")]])
        sent = await message.reply_text("<b>Ready</b>?", parse_mode="HTML", reply_markup=keyboard)
        tell(want="press", message=sent.message_id)


async def pressed(update, context):
    await update.callback_query.answer("Going")
    await update.callback_query.edit_message_text("Gone")
    tell(pressed=update.callback_query.data)


async def errors(bot):
    return {
        "parse": await refused(BadRequest, bot.send_message(CHAT, "a_b", parse_mode="MarkdownV2")),
        "migrated": await refused(ChatMigrated, bot.send_message(PLAN["old"], "x")),
        "blocked": await refused(Forbidden, bot.send_message(PLAN["blocked"], "x")),
        "flood": await refused(RetryAfter, bot.send_message(PLAN["flooded"], "x")),
        "conflict": await refused(Conflict, twice(bot)),
        "missing": await refused(BadRequest, bot.send_message(1, "x")),
    }


async def twice(bot):
    """Two programs with one token; each has a connection of its own."""
    waiting = await bot.get_updates()
    older = asyncio.create_task(bot.get_updates(offset=waiting[-1].update_id + 1, timeout=20))
    await asyncio.sleep(0.2)
    async with Bot(PLAN["token"], base_url=PLAN["base"]) as other:
        newer = asyncio.create_task(other.get_updates(timeout=1))
        try:
            await older
        finally:
            await newer


async def sends(bot):
    await bot.set_message_reaction(CHAT, PLAN["said"], ReactionTypeEmoji("🔥"))
    await bot.send_document(CHAT, b"document", filename="d.txt", caption="_c_", parse_mode="MarkdownV2")
    await bot.send_photo(CHAT, b"photo")
    await bot.send_voice(CHAT, b"voice")
    await bot.send_message(PLAN["forum"], "in the topic", message_thread_id=PLAN["topic"])
    first = await bot.send_message(CHAT, "first")
    await first.edit_text("second")
    await (await bot.send_message(CHAT, "unwanted")).delete()


async def main():
    application = Application.builder().token(PLAN["token"]).base_url(PLAN["base"]).base_file_url(PLAN["files"]).build()
    application.add_handler(CallbackQueryHandler(pressed))
    application.add_handler(MessageHandler(filters.ALL, hear))
    async with application:
        bot = application.bot
        tell(me=bot.username)
        await sends(bot)
        tell(errors=await errors(bot))
        await application.start()
        await application.updater.start_polling(allowed_updates=Update.ALL_TYPES)
        tell(want="talk")
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        await application.updater.stop()
        await application.stop()
    try:
        await Application.builder().token("1:nobody").base_url(PLAN["base"]).build().initialize()
    except InvalidToken:
        tell(stranger="InvalidToken")


asyncio.run(main())
