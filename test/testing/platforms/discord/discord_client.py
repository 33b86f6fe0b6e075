"""A bot on discord.py that does what the messages it hears ask for, and prints what it met, one JSON list a line."""

import io
import json
import os

import discord
import yarl

discord.http.Route.BASE = os.environ["DISCORD_API"]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])


def tell(*words):
    print(json.dumps(words), flush=True)


class Bot(discord.Client):
    def __init__(self):
        intents = discord.Intents.default()
        intents.message_content = True
        super().__init__(intents=intents)
        self.tree = discord.app_commands.CommandTree(self)

    async def setup_hook(self):
        @self.tree.command(name="status", description="How it is")
        async def status(interaction: discord.Interaction, what: str):
            await interaction.response.defer()
            await interaction.followup.send(f"about {what}")

        await self.tree.sync()

    async def on_ready(self):
        tell("ready", self.user.name, [guild.name for guild in self.guilds])

    async def on_resumed(self):
        tell("resumed")

    async def on_thread_create(self, thread):
        tell("thread", thread.name, thread.parent.name)

    async def on_message_edit(self, before, after):
        if after.author != self.user:
            tell("edited", after.content)

    async def on_message(self, message):
        if message.author == self.user:
            return
        text = message.content.replace(self.user.mention, "").strip()
        tell("heard", text, message.author.name, str(message.channel.type), self.user in message.mentions)
        task = getattr(self, f"do_{text.split(' ')[0]}", None)
        if task is not None:
            await task(message)

    async def do_reply(self, message):
        await message.reply("here")

    async def do_edit(self, message):
        sent = await message.channel.send("a")
        await sent.edit(content="b")

    async def do_file(self, message):
        content = await message.attachments[0].read()
        await message.channel.send("back", file=discord.File(io.BytesIO(content.upper()), filename="back.txt"))

    async def do_react(self, message):
        await message.add_reaction("👀")

    async def do_begin(self, message):
        thread = await message.create_thread(name="Story")
        await thread.send("Once upon a time")

    async def do_history(self, message):
        after = discord.Object(int(message.content.split(" ")[1]))
        found = [one.content async for one in message.channel.history(after=after, limit=150)]
        tell("history", len(found), found[0], found[-1])

    async def do_many(self, message):
        for number in range(3):
            await message.channel.send(f"number {number}")

    async def do_long(self, message):
        try:
            await message.channel.send("x" * 2001)
        except discord.HTTPException as error:
            tell("refused", error.status, error.code)

    async def do_button(self, message):
        view = discord.ui.View()
        button = discord.ui.Button(label="Yes", custom_id="q:yes", style=discord.ButtonStyle.success)

        async def pressed(interaction):
            await interaction.response.edit_message(content=f"chosen by {interaction.user.name}", view=None)

        button.callback = pressed
        view.add_item(button)
        await message.channel.send("Sure?", view=view)


Bot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
