"""A small bot on the official Python SDK. What a person says decides what it does; what it saw goes back as messages."""

import sys
import urllib.request

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.response import SocketModeResponse

api_url, bot_token, app_token = sys.argv[1:]
web = WebClient(token=bot_token, base_url=api_url)
me = web.auth_test()["user_id"]
client = SocketModeClient(app_token=app_token, web_client=WebClient(base_url=api_url), ping_interval=0.5)


def button(event):
    element = {"type": "button", "action_id": "yes", "value": "42", "text": {"type": "plain_text", "text": "Yes"}}
    blocks = [{"type": "actions", "block_id": "ask", "elements": [element]}]
    web.chat_postMessage(channel=event["channel"], text="Sure?", thread_ts=event["ts"], blocks=blocks)


def files(event):
    wanted = urllib.request.Request(event["files"][0]["url_private_download"], headers={"Authorization": "Bearer " + bot_token})
    loaded = urllib.request.urlopen(wanted).read()
    web.files_upload_v2(channel=event["channel"], content=loaded[::-1], filename="back.bin", initial_comment="reversed")


def history(event):
    pages = []
    for page in web.conversations_history(channel=event["channel"], limit=2, latest=event["ts"]):
        pages.append("+".join(message["text"] for message in page["messages"]))
    web.chat_postMessage(channel=event["channel"], text=" | ".join(pages))


def limit(event):
    try:
        web.chat_postMessage(channel=event["channel"], text="too fast")
    except SlackApiError as error:
        words = f"{error.response.status_code} {error.response['error']} {error.response.headers['retry-after']}"
        web.chat_postMessage(channel=event["channel"], text=words)


def retried(event):
    web.chat_postMessage(channel=event["channel"], text="heard at the second attempt")


deeds = {"button": button, "files": files, "history": history, "limit": limit, "retried": retried}


def hear(client, request):
    event = request.payload.get("event", {})
    if event.get("text") == "retried" and not request.retry_attempt:
        return
    client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
    if request.type == "interactive":
        container, action = request.payload["container"], request.payload["actions"][0]
        words = f"pressed {action['value']} by {request.payload['user']['id']}"
        web.chat_update(channel=container["channel_id"], ts=container["message_ts"], text=words, blocks=[])
    elif event.get("user") != me and event.get("text") in deeds:
        deeds[event["text"]](event)


client.socket_mode_request_listeners.append(hear)
client.connect()
sys.stdin.read()
client.close()
