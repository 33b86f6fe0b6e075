/**
 * Words of everyday language that mean the same, or nearly so that one can be asked for by the other. One group a line, in the
 * languages people write to the agent; `a_b` is a phrase. General language only: a word stands here because a dictionary would
 * put it beside its neighbors.
 */
export const SAME_WORDS = `
home house flat apartment dwelling accommodation unterkunft wohnung haus zuhause 房子 新房 住处 公寓 部屋 住まい マンション 집 아파트 บ้าน คอนโด ห้องพัก
live living reside residence address wohnen wohne adresse anschrift 住 住在 地址 住所 住む 주소 살다 살아 อยู่ ที่อยู่
move moved moving relocate relocation umzug umziehen umgezogen 搬 搬家 搬到 搬运 引っ越し 引越 運んだ 荷物 이사 옮기 옮겼 ย้าย
floor storey story level stock etage geschoss 楼层 层 階 층 ชั้น
room chamber zimmer raum 房间 室 部屋 방 ห้อง
rent lease tenancy pacht miete 租 房租 租金 交租 家賃 월세 임대 ค่าเช่า
landlord landlady vermieter vermieterin 房东 大家 집주인 เจ้าของบ้าน
neighbor neighbour next_door adjacent nachbar nachbarin nebenan 邻居 隔壁 旁边 隣 隣人 이웃 옆집 옆방 เพื่อนบ้าน ข้าง
roommate flatmate housemate mitbewohner mitbewohnerin 室友 合租 同住 ルームメイト 룸메이트
key keys schlüssel 钥匙 鍵 열쇠 กุญแจ
door entrance gate entry tür tor eingang get_in get_into let_in hinein hineinkommen 门 门口 入口 ドア 문 ประตู
lock code pin passcode password passphrase kennwort passwort 密码 口令 暗证 暗証番号 パスワード 비밀번호 암호 รหัส รหัสผ่าน
wifi wi-fi wlan wireless network netz netzwerk 网络 无线 ネットワーク 와이파이 네트워크
garden yard allotment plot patch garten parzelle grundstück beet 花园 菜园 庭 정원 สวน
plant plants planted sow sowed sown seed seeds seedling pflanze pflanzen gepflanzt gelegt säen gesät 种 种植 播种 植える 植えた 심다 심었 ปลูก
water watering watered irrigate thirst thirsty gießen gegossen bewässern 浇水 水やり 물 รดน้ำ
soil earth ground compost erde boden 土 土壤 흙 ดิน
snail snails slug slugs schnecke schnecken 蜗牛 カタツムリ 달팽이
poison pesticide toxic gift pflanzenschutz spritzmittel 农药 毒 毒药 農薬 농약
light sun sunlight sunny sonne licht sonnig 阳光 光线 日当たり 햇빛 แสง แดด
heating heater boiler radiator heizung kessel 暖气 锅炉 热水器 暖房 보일러
repair fix fixed mend service serviced repariert reparieren 修 维修 修理 수리 ซ่อม
mechanic technician craftsman repairman handwerker techniker 师傅 工人 技师 業者 기사 ช่าง
aircon air_conditioner air_conditioning ac klimaanlage 空调 エアコン 에어컨 แอร์ เครื่องทำความเย็น
clean cleaned cleaning wash washed putzen reinigen 打扫 清洗 掃除 洗う 청소 ล้าง ทำความสะอาด
laundry washing washing_machine wäsche waschen 洗衣 洗濯 빨래 ซักผ้า
trash bin bins garbage rubbish waste müll abfall 垃圾 ごみ ゴミ 쓰레기 ขยะ
battery storage accumulator akku batterie speicher 电池 蓄電池 バッテリー 배터리
electricity power current strom 电 电费 電気 전기 ไฟฟ้า
meter counter gauge zähler zählerstand 电表 水表 メーター 계량기 มิเตอร์
mother mum mom mama mutter 妈妈 母亲 母 お母さん 엄마 어머니 แม่
father dad papa vater 爸爸 父亲 父 お父さん 아빠 아버지 พ่อ
parents eltern folks 父母 両親 부모 부모님 พ่อแม่
sister schwester 姐姐 妹妹 姐妹 妹 姉 언니 누나 여동생 น้องสาว พี่สาว
brother bruder 哥哥 弟弟 兄弟 弟 兄 오빠 형 남동생 น้องชาย พี่ชาย
wife ehefrau 妻子 老婆 妻 아내 ภรรยา เมีย
husband ehemann 丈夫 老公 夫 남편 สามี
partner spouse girlfriend boyfriend fiancé fiancée freundin freund lebensgefährte 女朋友 男朋友 对象 彼女 彼氏 여자친구 남자친구 แฟน
son sohn 儿子 息子 아들 ลูกชาย
daughter tochter 女儿 娘 딸 ลูกสาว
child children kid kids pupil pupils kinder kind 孩子 小孩 子ども 子供 아이 아이들 เด็ก ลูก
baby infant newborn säugling 宝宝 婴儿 赤ちゃん 아기 ทารก
aunt tante 阿姨 姑姑 叔母 伯母 이모 고모 ป้า น้า
uncle onkel 叔叔 舅舅 叔父 伯父 삼촌 ลุง
grandmother grandma granny nan oma großmutter 奶奶 外婆 祖母 おばあちゃん 할머니 ยาย ย่า
grandfather grandpa opa großvater 爷爷 外公 祖父 おじいちゃん 할아버지 ปู่ ตา
cousin vetter cousine 表哥 表妹 いとこ 사촌
friend friends mate buddy pal kumpel 朋友 友達 友人 친구 เพื่อน
colleague coworker workmate kollege kollegin kollegen 同事 同僚 동료 เพื่อนร่วมงาน
boss manager supervisor chef chefin vorgesetzter 老板 经理 上司 部長 사장 팀장 상사 ผู้จัดการ หัวหน้า
chair chairman chairwoman chairperson lead leads leader leitet leiter leiterin vorsitzender vorsitzende leitung 负责人 会长 领导 代表 会長 회장 대표 ประธาน
owner eigentümer besitzer 主人 业主 所有者 주인 เจ้าของ
customer customers client clients buyer kunde kunden 客户 顾客 お客様 고객 손님 ลูกค้า
user users subscriber subscribers nutzer benutzer 用户 注册 ユーザー 회원 사용자 가입자 ผู้ใช้
teacher tutor instructor lehrer lehrerin trainer coach lesson lessons class classes unterricht 老师 家教 课 授業 先生 선생 수업 ครู
student students learner schüler studentin 学生 生徒 학생 นักเรียน
doctor physician gp medic medics physio arzt ärztin hausarzt 医生 大夫 医師 医者 의사 หมอ แพทย์
dentist teeth tooth dental zahnarzt zahn zähne 牙医 牙齿 牙 歯医者 歯 치과 หมอฟัน ฟัน
vet veterinary veterinarian tierarzt tierklinik animal_hospital animal_clinic 宠物医院 兽医 動物病院 動物クリニック 동물병원 สัตวแพทย์
nurse carer caregiver carers pfleger pflegerin krankenschwester 护士 护工 看護師 간호사 พยาบาล
medicine medication tablet tablets pill pills drug dose medikament tablette tabletten 药 药片 薬 약 ยา
ill sick unwell illness krank krankheit 生病 病 病気 具合が悪い 아프 병 ป่วย
allergy allergic allergies intolerant intolerance tolerate allergie allergisch unverträglichkeit 过敏 アレルギー 알레르기 แพ้
vaccination vaccine vaccinated shot jab injection impfung geimpft 疫苗 打针 接种 注射 予防接種 예방접종 접종 주사 ฉีดวัคซีน
blood blut rhesus blood_type blood_group 血型 血液 血液型 혈액형 เลือด กรุ๊ปเลือด
knee joint joints knie gelenk gelenke 膝盖 関節 膝 무릎 관절 เข่า
ear ears hearing hear ohr ohren 耳朵 耳 귀 หู
eye eyes glasses spectacles brille augen 眼镜 眼睛 眼鏡 안경 แว่น
foot feet shoe shoes footwear boots fuß schuh schuhe schuhgröße 鞋 脚 靴 足 신발 발 รองเท้า
bike bicycle cycle cycling fahrrad rad 自行车 单车 自転車 자전거 จักรยาน
car vehicle auto wagen 车 汽车 租车 車 자동차 รถ รถยนต์
plate license_plate registration kennzeichen 车牌 ナンバー 번호판 ทะเบียนรถ
parking park parked parkplatz stellplatz 停车 车位 駐車 주차 ที่จอดรถ จอดรถ
coach bus autobus minibus driver drives fährt fahrer 大巴 公交 司机 バス 運転 버스 운전 รถบัส รถเมล์
train railway rail zug bahn 火车 高铁 电车 電車 列車 기차 열차 รถไฟ
flight plane airplane fly flug fliegen 飞机 航班 飛行機 便 비행기 항공편 เครื่องบิน เที่ยวบิน
tire tyre rubber reifen 轮胎 タイヤ 타이어 ยาง
trip journey travel tour voyage reise ausflug urlaub vacation holiday holidays 旅行 旅途 出行 假期 出差 旅 休暇 여행 휴가 เที่ยว ท่องเที่ยว วันหยุด
hotel hostel inn lodging lodge guesthouse pension herberge stay 酒店 客栈 旅馆 民宿 宾馆 住哪 ホテル 旅館 宿 호텔 숙소 โรงแรม ที่พัก
restaurant diner bistro eatery lokal gaststätte dinner dine 餐厅 饭店 餐馆 レストラン 식당 ร้านอาหาร
shop store retailer merchant laden geschäft 店 商店 お店 가게 상점 ร้าน
church mass parish kirche gottesdienst 教堂 教会 교회 성당 โบสถ์
library bibliothek bücherei 图书馆 図書館 도서관 ห้องสมุด
office bureau workplace büro verwaltung 办公室 职场 オフィス 職場 사무실 회사 สำนักงาน ออฟฟิศ
job employment position occupation profession arbeit beruf stelle 工作 上班 职业 仕事 働く 働き 勤務 通って 직업 งาน อาชีพ
company firm employer business firma unternehmen arbeitgeber 公司 会社 회사 บริษัท
salary wage wages earn earns earning income gehalt lohn verdienst verdiene 工资 薪水 收入 給料 収入 월급 연봉 급여 เงินเดือน รายได้
price cost costs costing pay paid paying charge charges charged fee fees bill spend spent expensive pricey kostet kosten preis zahle zahlen bezahlt gebühr 多少钱 价格 费用 费 收费 收 花了 付 料金 値段 費用 いくら 払 円 가격 비용 요금 얼마 ราคา ค่า เท่าไร จ่าย
deposit security_deposit kaution anzahlung 押金 定金 敷金 보증금 เงินมัดจำ
bank account iban transfer transferred konto überweisung überweisen 账户 账号 银行 转账 打钱 口座 振込 계좌 송금 บัญชี โอน
budget limit ceiling cap maximum at_most höchstens obergrenze 预算 上限 以内 予算 まで 예산 한도 งบ
discount coupon promotion rebate voucher rabatt gutschein 折扣 优惠 促销 割引 クーポン 할인 쿠폰 ส่วนลด
refund refunded money_back erstattung 退款 返金 환불 คืนเงิน
owe owes owed debt debts pay_back lend lent borrow borrowed schulde schulden geliehen 欠 借 借りた 빚 빌렸 ติดหนี้ ยืม
gift present geschenk 礼物 プレゼント 선물 ของขวัญ
order ordered orders buy bought purchase purchased buying bestellt bestellen gekauft kaufen 买 订 订购 购买 下单 買 注文 사다 샀 주문 ซื้อ สั่ง
sell sold sells selling bestseller verkaufen verkauft 卖 销售 畅销 売 판매 팔 ขาย
ship shipping shipped deliver delivery delivered parcel parcels package postage send sent versand lieferung liefern paket porto 快递 发货 送货 包裹 邮费 配送 送料 荷物 배송 택배 ส่ง จัดส่ง พัสดุ
warranty guarantee garantie gewährleistung 保修 质保 保証 보증 รับประกัน
contract agreement vertrag 合同 契約 계약 สัญญา
insurance insured versicherung 保险 保険 보험 ประกัน
tax taxes steuer steuern 税 税金 세금 ภาษี
document paper papers paperwork certificate bescheinigung dokument unterlagen urkunde zeugnis 文件 证件 证书 書類 証明 서류 증명서 เอกสาร
id identity identity_card id_card passport ausweis 身份证 证件号 護照 护照 パスポート 身分証 신분증 여권 บัตรประชาชน พาสปอร์ต
sign signs signed signature signing approve approval approvals approver sign_off consent authorize genehmigen freigabe unterschrift 签字 批准 审批 承認 署名 승인 승인자 허락 결재 อนุมัติ ลงนาม
dog puppy hund 狗 小狗 犬 강아지 개 หมา สุนัข
cat kitten katze 猫 고양이 แมว
pet pets haustier haustiere 宠物 ペット 반려동물 애완 สัตว์เลี้ยง
eat eats eating food meal meals diet essen gericht 吃 饭 菜 食べ 食事 먹 음식 밥 กิน อาหาร
feed kibble pet_food futter 饲料 狗粮 猫粮 餌 エサ 사료 먹을 อาหารหมา อาหารแมว
drink drinks beverage tea coffee trinken getränk 喝 饮料 飲み物 飲 마시 음료 ดื่ม เครื่องดื่ม
vegetarian vegetarians vegan vegans meat-free meatless no_meat without_meat don't_eat_meat vegetarisch fleischlos 素食 吃素 ベジタリアン 菜食 채식 มังสวิรัติ
spicy hot_food chili scharf 辣 辛い 매운 เผ็ด
sweet sweets candy dessert treats sugar süßigkeiten süß nachtisch 甜 甜点 糖 甘い デザート 단것 디저트 ของหวาน
breakfast frühstück morning mornings morgens vormittag 早上 早饭 早晨 上午 朝 午前 아침 오전 เช้า ตอนเช้า
lunch noon midday mittag mittagessen 午饭 中午 昼 昼食 점심 เที่ยง
evening evenings night tonight abend abends nacht 晚上 夜里 夜 今晚 晩 夕方 저녁 밤 เย็น กลางคืน คืน
wear wearing clothes clothing dress outfit put_on kleidung anziehen tragen 穿 衣服 着る 服 옷 입 ใส่ เสื้อผ้า
color colour farbe 颜色 色 색 색깔 สี
size größe 尺码 大小 号码 サイズ 사이즈 크기 ขนาด
umbrella brolly regenschirm schirm 雨伞 伞 傘 우산 ร่ม
clock watch timepiece uhr 钟 表 手表 時計 시계 นาฬิกา
book novel story roman buch 书 小说 本 小説 책 소설 หนังสือ นิยาย
song tune lied stück 歌 曲子 曲 노래 เพลง
concert gig performance show perform konzert auftritt 演出 音乐会 コンサート ライブ 공연 콘서트 คอนเสิร์ต
rehearse rehearsal rehearsals practice practise probe proben üben 排练 练习 練習 연습 ซ้อม
band group ensemble choir singers orchestra kapelle chor 乐队 合唱团 バンド 밴드 วง
bass bassist bass_player 贝斯 ベース 베이스
game games play board_game spiel spiele 游戏 ゲーム 게임 เกม
race competition contest tournament marathon wettkampf turnier 比赛 大会 試合 경기 대회 แข่ง
run running jog jogging interval laufen joggen 跑步 ランニング 달리기 วิ่ง
hill hills steep climb climbing slope berg steigung hügel 坡 爬山 坂 언덕 เขา
swim swimming pool schwimmen 游泳 水泳 プール 수영 ว่ายน้ำ
exam test certificate prüfung klausur 考试 测验 試験 テスト 시험 สอบ
score points result grade ergebnis punkte 分数 成绩 点数 結果 점수 성적 คะแนน ผล
rating elo ranking strength strong stark 等级分 评分 レーティング 등급 เรตติ้ง
word words vocabulary vokabeln wörter 单词 词汇 単語 단어 คำศัพท์
language languages sprache sprachen 语言 言語 言葉 언어 말 ภาษา
thesis dissertation doktorarbeit arbeit diploma 论文 論文 논문 วิทยานิพนธ์
chapter kapitel 章 章节 部分 장 บท
examiner reviewer referee assessor gutachter gutachterin prüfer 评审 審査員 심사위원
submit submitted hand_in handed_in turn_in abgabe abgegeben eingereicht einreichen 提交 交稿 提出 제출 ส่งงาน
deadline due frist fällig by_when 截止 期限 締め切り 마감 กำหนดส่ง
birthday born geburtstag geboren 生日 誕生日 생일 วันเกิด
wedding marry married marriage hochzeit heiraten 婚礼 结婚 結婚 결혼 แต่งงาน
party celebration feier fest 派对 聚会 パーティー 파티 งานเลี้ยง
meet meeting meetings appointment gather termin treffen besprechung 会议 开会 见面 碰头 集合 会合 待ち合わせ 会う 만나 회의 약속 ประชุม นัด
visit visitor visits guest guests besuch besucher gast 拜访 客人 来访 訪問 来客 방문 손님 เยี่ยม แขก
call phone telephone ring anrufen telefon telefonieren 打电话 电话 電話 전화 โทร โทรศัพท์
message mail email e-mail letter write nachricht brief schreib schreiben 邮件 短信 消息 信 メール 手紙 メッセージ 메일 문자 편지 อีเมล ข้อความ จดหมาย
reply answer respond response antwort antworten 回复 答复 返信 返事 답장 답변 ตอบ
contact turn_to talk_to ansprechpartner kontakt 联系 联系人 找 連絡 連絡先 연락 담당자 ติดต่อ
remind reminder erinnern erinnerung 提醒 リマインド 알림 เตือน
schedule calendar plan planned kalender zeitplan 日程 安排 计划 予定 スケジュール 일정 계획 ตาราง แผน
open opens opening begin begins start starts started starting beginn anfang anfangen 开始 开门 始まる 始め 시작 เริ่ม เปิด
close closes closed shut schließen geschlossen 关门 结束 关闭 閉 終わ 닫 끝 ปิด จบ
cancel cancelled canceled call_off abgesagt absagen 取消 キャンセル 취소 ยกเลิก
quit leave leaving left resign resigned out_of kündigen gekündigt 辞职 离职 退出 辞め 그만 퇴사 ลาออก
hire hired join joined recruit einstellen 招聘 加入 入社 参加 채용 입사 จ้าง
server machine host machines runner runners rechner 服务器 机器 主机 测试机 サーバー 서버 เซิร์ฟเวอร์
deploy deployed deployment release releases released ship rollout launch launched go_live publish veröffentlichen 部署 上线 发布 上线日期 推出 リリース 公開 デプロイ 배포 출시 릴리스 올려 올렸 เผยแพร่ เปิดตัว
hosted hosting cloud provider gehostet 托管 云 ホスティング クラウド 호스팅 โฮสต์
port ports listen listens listening endpoint 端口 口 监听 ポート 포트 접속 พอร์ต
file files path datei pfad 文件 路径 ファイル パス 파일 경로 ไฟล์
folder directory ordner verzeichnis 文件夹 目录 フォルダ 폴더 โฟลเดอร์
config configuration settings setting einstellung konfiguration 配置 设置 設定 설정 ตั้งค่า
log logs logging record records protokoll 日志 记录 ログ 記録 로그 기록 บันทึก
database db datenbank 数据库 库 データベース 데이터베이스 디비 ฐานข้อมูล
queue broker middleware message_queue 队列 消息队列 中间件 キュー 큐
service program application app daemon dienst programm anwendung 服务 程序 应用 サービス アプリ 서비스 앱 모듈 แอป บริการ
build builds compile compiled pipeline ci kompilieren 构建 编译 流水线 ビルド 빌드
tests suite testing flaky 测试 テスト 테스트 ทดสอบ
version release_number 版本 バージョン 버전 เวอร์ชัน
commit commits 提交 提交信息 コミット 커밋
bug bugs defect defects issue crash crashes error fehler 缺陷 故障 错误 バグ 不具合 버그 오류 บั๊ก
latency delay p99 p95 tail response_time 延迟 尾延迟 毫秒 レイテンシ 遅延 지연
load_test benchmark performance_test stress_test 压测 性能测试 負荷試験 부하 성능
fast faster speed quick duration how_long schnell dauert lange 速度 多快 多久 速さ 速い 빠르 빨라 속도 얼마나 เร็ว นาน
backup backups sicherung 备份 バックアップ 백업 สำรอง
domain website site url webseite seite 域名 网站 网址 ドメイン サイト 도메인 사이트 เว็บไซต์
picture pictures photo photos image images bild bilder foto 照片 图片 写真 画像 사진 รูป
crop cropped resize format zuschneiden 裁剪 切り抜き 자르
oldest lowest minimum least floor min mindestens niedrigste 最低 最老 最低限 最低 최소 ต่ำสุด
biggest largest highest maximum best top größte höchste beste 最大 最高 最好 最高 최고 최대 สูงสุด
case ticket complaint claim incident beschwerde reklamation 投诉 工单 苦情 問い合わせ 불만 문의 ร้องเรียน
administrator admin maintainer maintains 管理员 管理者 어드민 관리자 ผู้ดูแล
property_manager management_company building_manager hausverwaltung 物业 管理会社 管理公司 관리사무소 นิติบุคคล ผู้จัดการตึก
team crew mannschaft 团队 队 チーム 팀 ทีม
captain kapitän 队长 キャプテン 주장 กัปตัน
investor investors geldgeber 投资人 投資家 투자자 นักลงทุน
secret secretly hide hides hiding confidential geheim 秘密 保密 隐瞒 秘密 비밀 숨기 ความลับ
former previous formerly previously ex earlier used_to früher früheren früherer ehemalig ehemalige vorige 原来 以前 之前 从前 过去 前の 以前 昔 예전 이전 옛날 เดิม เมื่อก่อน
often frequency rhythm frequently wie_oft 多久一次 频率 頻度 자주 บ่อย
weekday day_of_week wochentag 星期几 周几 曜日 요일 วันอะไร
like likes love loves enjoy favorite favourite prefer prefers mag liebt lieblings 喜欢 最爱 好き 好み 좋아 ชอบ
dislike hate hates loathe can't_stand avoid leave_out hasse vermeiden 讨厌 避开 不吃 别 不喜欢 嫌い 苦手 避け 싫어 피해 ไม่ชอบ หลีกเลี่ยง
piano klavier 钢琴 ピアノ 피아노 เปียโน
rabbit hase kaninchen 兔子 うさぎ 토끼 กระต่าย
car_sick motion_sickness travel_sick reisekrank 晕车 乗り物酔い 멀미 เมารถ
walk walks stroll take_out spaziergang gassi 散步 遛 散歩 산책 เดินเล่น
hour o'clock uhrzeit 几点 时间 時間 何時 시간 เวลา โมง
`;
/** What names a whole kind stands before `>`, members of it after. Asked for by the kind, a member answers; never one member for another. */
export const KINDS = `
pet pets animal haustier tier 宠物 动物 ペット 動物 반려동물 동물 สัตว์เลี้ยง > dog cat rabbit hamster parrot puppy kitten hund katze kaninchen 狗 猫 兔子 犬 うさぎ 강아지 고양이 หมา แมว
legume legumes hülsenfrüchte > pea peas bean beans lentil lentils chickpea erbsen bohnen linsen
vegetable vegetables greens gemüse 蔬菜 野菜 야채 채소 ผัก > tomato tomatoes potato potatoes carrot carrots onion cabbage lettuce chard spinach kale pea peas bean beans zucchini cucumber tomaten kartoffeln möhren zwiebeln 土豆 西红柿
tuber tubers knollen root_vegetable > potato potatoes kartoffel kartoffeln yam beet 土豆 じゃがいも 감자
herb herbs kräuter topping seasoning spice spices gewürz > coriander cilantro basil parsley thyme mint dill rosemary oregano cumin basilikum petersilie
fruit fruits obst 水果 果物 과일 ผลไม้ > apple apples pear pears banana orange oranges berry berries strawberry grape cherry plum peach mango apfel äpfel 苹果 りんご 사과
flower flowers blumen 花 꽃 ดอกไม้ > rose roses tulip lily daisy orchid rosen
wine bottle wein 葡萄酒 ワイン 와인 > riesling merlot rosé chardonnay pinot bordeaux prosecco champagne sherry
alcohol booze alkohol 酒 お酒 술 เหล้า > wine beer whisky vodka gin rum bier wein
fish seafood fisch 鱼 海鲜 魚 생선 ปลา > salmon tuna cod trout shrimp prawn mussel lachs 三文鱼 鮭 연어
meat fleisch 肉 고기 เนื้อ > beef pork chicken lamb ham sausage bacon steak rind schwein huhn 牛肉 鸡肉 鶏肉 닭고기
dairy milchprodukte 乳制品 乳製品 유제품 > lactose milk cheese butter cream yoghurt yogurt milch käse 牛奶 乳糖
food eat allergy 食物 食べ物 음식 > nuts peanuts gluten lactose mushrooms shellfish egg eggs soy wheat pilze nüsse 花生 卵
relative relatives family verwandte familie 亲戚 家人 家族 親戚 가족 친척 ญาติ ครอบครัว > mother father sister brother aunt uncle cousin grandmother grandfather son daughter mum dad
river fluss 河 川 강 แม่น้ำ > mosel rhine danube thames seine elbe nile amazon
weekday day wochentag tag 星期 曜日 요일 วัน > monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays montag dienstag mittwoch donnerstag freitag samstag sonntag sonntags samstags 周一 周二 周三 周四 周五 周六 周日 星期一 月曜 火曜 水曜 木曜 金曜 土曜 日曜 월요일 화요일 수요일 목요일 금요일 토요일 일요일
instrument instrumente 乐器 楽器 악기 > piano guitar violin cello flute drums trumpet bass klavier gitarre geige 钢琴 吉他 ピアノ 피아노
sport sports workout training exercise session 运动 スポーツ 운동 กีฬา > run running runs swim swimming football tennis yoga climbing cycling hiking skiing rowing 跑步 游泳
vehicle transport fahrzeug 交通工具 乗り物 탈것 > car bike bus train tram van truck motorcycle scooter 汽车 火车 晕车 前排
furniture möbel 家具 가구 > desk table chair sofa couch shelf bed wardrobe lamp tisch stuhl
device gadget gadgets machine apparatus gerät 设备 机器 機械 기기 เครื่อง > dehumidifier printer scanner router laptop phone tablet camera hearing_aid hearing_aids inverter boiler drucker
software tool library framework middleware 软件 工具 ソフト 소프트웨어 > kafka rocketmq rabbitmq redis postgres mysql sqlite docker kubernetes react nginx
database datenbank 数据库 データベース 데이터베이스 > postgres postgresql mysql sqlite mongodb oracle redis mariadb
phone_system operating_system platform betriebssystem 系统 システム 운영체제 > android ios windows linux macos ubuntu
jewelry schmuck 首饰 アクセサリー 보석 > ring necklace bracelet earrings 戒指 项链 指輪 목걸이 반지
gift present 礼物 プレゼント 선물 > necklace ring flowers chocolate 목걸이 戒指
drink beverage getränk 饮料 飲み物 음료 เครื่องดื่ม > tea coffee juice water wine beer milk tee kaffee 红茶 紅茶 茶 咖啡 コーヒー 커피 차
messenger chat message messages > whatsapp telegram signal slack discord wechat email sms 微信
document unterlage 文件 書類 서류 > power_of_attorney passport certificate contract invoice will vollmacht 合同 护照
clothes kleidung 衣服 服 옷 > scarf shirt dress jacket coat trousers hat gloves jeans suit schal hemd
season jahreszeit 季节 季節 계절 > spring summer autumn fall winter frühling sommer herbst
color colour farbe 颜色 色 색 > red blue green black white yellow orange pink purple grey gray brown rot blau grün schwarz weiß 红 蓝 绿 黑 白
language sprache 语言 言語 언어 ภาษา > english german french spanish portuguese chinese japanese korean thai italian deutsch englisch 中文 英文 日语 英語 中国語 日本語 영어
pest pests schädlinge insects bugs ungeziefer > aphids snails slugs ants moths mites blattläuse schnecken
weather wetter 天气 天気 날씨 > rain sun snow storm wind fog hail
illness disease condition krankheit 疾病 病気 질병 > diabetes asthma migraine flu cold cancer anemia arthritis dizzy
`;
